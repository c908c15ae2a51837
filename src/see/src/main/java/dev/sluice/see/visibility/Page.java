package dev.sluice.see.visibility;

import org.jspecify.annotations.Nullable;

/**
 * A part of a line, within the bounds of the API.
 *
 * @param offset how many are left out, at least 0
 * @param limit how many there are at most, from 0 to {@link #MOST}
 */
public record Page(int offset, int limit) {
  /** What an answer has at most. */
  public static final int MOST = 100_000;

  private static final int USUAL = 1_000;

  /**
   * The part that a query names. A limit that is absent or 0 is 1000, a negative one is 0, and a
   * larger one than {@link #MOST} is that; a negative offset is 0.
   *
   * @throws IllegalArgumentException naming the parameter, if it is no whole number of 64 bits
   */
  public static Page of(@Nullable String offset, @Nullable String limit) {
    long from = number("offset", offset);
    long count = number("limit", limit);
    return new Page(
        Math.clamp(from, 0, Integer.MAX_VALUE), count == 0 ? USUAL : Math.clamp(count, 0, MOST));
  }

  private static long number(String name, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return 0;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          "%s: \"%s\" (expected: a whole number)".formatted(name, text));
    }
  }
}
