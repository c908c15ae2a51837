package dev.sluice.quota.amount;

/**
 * Arithmetic of amounts on plain {@code long}s, for arrays and hot loops. {@link #UNLIMITED} plus
 * or minus any amount stays {@link #UNLIMITED}; every other sum saturates instead of overflowing.
 */
public final class Amounts {
  /** More than any bounded amount. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private Amounts() {}

  /** {@code a + b}; unlimited if either is, and saturated at both ends. */
  public static long plus(long a, long b) {
    if (a == UNLIMITED || b == UNLIMITED) {
      return UNLIMITED;
    }
    long sum = a + b;
    boolean overflowed = ((a ^ sum) & (b ^ sum)) < 0;
    return overflowed ? limit(a < 0) : sum;
  }

  /**
   * {@code a - b}: nothing is left of unlimited less unlimited, unlimited less anything else stays
   * unlimited, and a bounded amount less unlimited is the smallest there is.
   */
  public static long minus(long a, long b) {
    if (a == UNLIMITED) {
      return b == UNLIMITED ? 0 : UNLIMITED;
    }
    if (b == UNLIMITED) {
      return Long.MIN_VALUE;
    }
    long difference = a - b;
    boolean overflowed = ((a ^ b) & (a ^ difference)) < 0;
    return overflowed ? limit(a < 0) : difference;
  }

  /** {@code a * b}, saturated at both ends. */
  public static long times(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    boolean fits = high == low >> 63;
    return fits ? low : limit((a < 0) != (b < 0));
  }

  private static long limit(boolean negative) {
    return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** {@code a / b} towards zero; nothing divided by nothing is nothing. */
  public static long dividedBy(long a, long b) {
    return a == 0 && b == 0 ? 0 : a / b;
  }

  /** The amount, or zero where it is below zero. */
  public static long notNegative(long a) {
    return Math.max(0, a);
  }
}
