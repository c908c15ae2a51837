package dev.sluice.conversion.step;

import dev.sluice.api.ApiVersion;

/** The direction of a step: up to the newer of its two versions, or down to the older. */
public enum Direction {
  UP,
  DOWN;

  /** The direction that leads from the one version to the other, later one or the other way. */
  public static Direction between(ApiVersion from, ApiVersion to) {
    return from.compareTo(to) < 0 ? UP : DOWN;
  }

  /** The way back. */
  public Direction reversed() {
    return this == UP ? DOWN : UP;
  }
}
