package dev.sluice.certs;

import java.time.Duration;

/**
 * How long certificates last. A serving certificate is replaced when a third of its time is left,
 * and two minutes before its end at the latest: one of two minutes at each look. A new authority is
 * published when the newest has less than two serving lifetimes left, and signs when the old one
 * has less than one: clients get a whole serving lifetime to learn of it.
 */
public record Lifetimes(Duration authority, Duration serving) {
  // above the first instance, whose constructor reads them
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final int SERVING_LIFETIMES_OF_AN_AUTHORITY = 3;

  /** Ten years for the authority, one for a serving certificate. */
  public static final Lifetimes DEFAULT =
      new Lifetimes(Duration.ofDays(3650), Duration.ofDays(365));

  public Lifetimes {
    if (serving.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "serving: " + serving + " (expected: at least " + SHORTEST + ")");
    }
    Duration least = serving.multipliedBy(SERVING_LIFETIMES_OF_AN_AUTHORITY);
    if (authority.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "authority: " + authority + " (expected: at least " + least + ", three times serving)");
    }
  }

  /** An authority with no more than this left needs a successor beside it. */
  Duration successorAt() {
    return serving.multipliedBy(2);
  }
}
