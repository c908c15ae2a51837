package dev.sluice.conversion.step;

/** The direction of a step: up to the newer of its two versions, or down to the older. */
public enum Direction {
  UP,
  DOWN;

  /** The way back. */
  public Direction reversed() {
    return this == UP ? DOWN : UP;
  }
}
