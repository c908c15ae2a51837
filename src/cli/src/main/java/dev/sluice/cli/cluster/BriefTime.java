package dev.sluice.cli.cluster;

import java.time.Duration;

/** Lengths of time in the one unit that says enough, as kubectl writes ages. */
public final class BriefTime {
  private BriefTime() {}

  /** Such as {@code 90s}, {@code 5m}, {@code 7h} or {@code 3d}; a negative time is {@code 0s}. */
  public static String of(Duration time) {
    long seconds = Math.max(0, time.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 3 * 3600) {
      return seconds / 60 + "m";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
