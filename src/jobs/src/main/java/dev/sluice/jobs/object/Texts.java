package dev.sluice.jobs.object;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalLong;

/** Numbers and booleans as labels and annotations write them. */
public final class Texts {
  private static final int MAX_DIGITS = 64;

  private Texts() {}

  /** An integer of 64 bits: digits after an optional sign, and nothing else. */
  public static OptionalLong integer(String text) {
    boolean signed = text.startsWith("+") || text.startsWith("-");
    if (!isDigits(signed ? text.substring(1) : text)) {
      return OptionalLong.empty();
    }
    BigInteger number = new BigInteger(text);
    return number.bitLength() < Long.SIZE
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  /** An integer of 32 bits. */
  public static OptionalLong shortInteger(String text) {
    OptionalLong number = integer(text);
    return number.isPresent() && (int) number.getAsLong() == number.getAsLong()
        ? number
        : OptionalLong.empty();
  }

  /** Whether the text is digits only and a number below 2 to the 64. */
  public static boolean isUnsigned(String text) {
    return isDigits(text) && new BigInteger(text).bitLength() <= Long.SIZE;
  }

  /** A boolean in one of the spellings that Kubernetes takes in annotations. */
  public static Optional<Boolean> bool(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
      case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  // a longer one with leading zeros could still be small, but does not occur
  private static boolean isDigits(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(it -> it >= '0' && it <= '9');
  }
}
