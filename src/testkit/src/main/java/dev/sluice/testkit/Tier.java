package dev.sluice.testkit;

import java.util.Locale;
import java.util.stream.LongStream;

/**
 * How much the tests of this JVM try: {@code mvn verify} runs the quick tier, {@code mvn verify
 * -Pfull} the full one, which sets {@code -Dsluice.test.tier=full}. With {@code -Pfull
 * -Dtest.tier=long} the same tests try more than a build has time for.
 */
public enum Tier {
  QUICK,
  FULL,
  LONG;

  /** How many times the numbers of the full tier the long one tries. */
  private static final int LONGER = 5;

  private static final String PROPERTY = "sluice.test.tier";

  /**
   * The tier of this JVM.
   *
   * @throws IllegalArgumentException if the property names no tier
   */
  public static Tier current() {
    return of(System.getProperty(PROPERTY, "quick"));
  }

  static Tier of(String name) {
    for (Tier tier : values()) {
      if (tier.name().toLowerCase(Locale.ROOT).equals(name)) {
        return tier;
      }
    }
    throw new IllegalArgumentException(
        "%s: \"%s\" (expected: quick, full, or long)".formatted(PROPERTY, name));
  }

  /** The number that suits the current tier. */
  public static int number(int quick, int full) {
    return current().choose(quick, full);
  }

  /** The number of that system property, or else the one that suits the current tier. */
  public static int number(String property, int quick, int full) {
    return Integer.getInteger(property, number(quick, full));
  }

  /** The seeds from 1: as many as suit the current tier. */
  public static LongStream seeds(int quick, int full) {
    return LongStream.rangeClosed(1, number(quick, full));
  }

  int choose(int quick, int full) {
    return switch (this) {
      case QUICK -> quick;
      case FULL -> full;
      case LONG -> Math.multiplyExact(LONGER, full);
    };
  }
}
