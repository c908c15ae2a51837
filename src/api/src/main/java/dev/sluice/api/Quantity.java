package dev.sluice.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An amount as Kubernetes writes it, such as {@code 500m}, {@code 2Gi} or {@code 1e3}: an exact
 * decimal number and the notation it came in.
 *
 * <p>As Kubernetes does, an amount finer than {@code 1n} is rounded away from zero to the next
 * {@code 1n}, and one beyond 2<sup>63</sup>-1 in magnitude is taken as that limit. So a quantity is
 * small, whatever its text was. Two quantities are equal when they are the same number, in whatever
 * notation. Immutable.
 */
public final class Quantity implements Comparable<Quantity> {
  /** The longest text that is read as a quantity, in characters. */
  public static final int MAX_LENGTH = 1024;

  static final int NANO_SCALE = 9;

  private static final int MILLI_SCALE = 3;
  private static final int SURE_DIGITS = 18; // so many digits are a long in any case
  private static final long[] POWERS = {1, 10, 100};

  private static final BigDecimal LIMIT = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final List<String> BINARY_SUFFIXES =
      List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final List<String> DECIMAL_SUFFIXES =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

  /** Where the suffix of whole units stands. */
  private static final int UNIT = 3;

  /** The family of suffixes a quantity was written with and is printed with. */
  enum Notation {
    DECIMAL,
    BINARY,
    EXPONENT
  }

  // A cluster has millions of these, so nearly all are a few bytes and no object of their own: the
  // number without trailing zeros is unscaled / 10^scale, unless that takes more than a long.
  private final long unscaled;
  private final @Nullable BigDecimal large;
  private final byte scale;
  private final boolean binary;
  private final boolean exponent;

  Quantity(BigDecimal value, Notation notation) {
    BigDecimal exact = bounded(value).stripTrailingZeros();
    boolean isLarge = exact.unscaledValue().bitLength() >= Long.SIZE;
    this.large = isLarge ? exact : null;
    this.unscaled = isLarge ? 0 : exact.unscaledValue().longValueExact();
    this.scale = (byte) exact.scale(); // between -18 and 9
    this.binary = notation == Notation.BINARY;
    this.exponent = notation == Notation.EXPONENT;
  }

  /** The number {@code units} / 10^{@code power}, which is within the bounds. */
  private Quantity(long units, int power, boolean binary) {
    long stripped = units;
    int left = units == 0 ? 0 : power;
    while (stripped != 0 && stripped % 10 == 0) {
      stripped /= 10;
      left--;
    }
    this.large = null;
    this.unscaled = stripped;
    this.scale = (byte) left;
    this.binary = binary;
    this.exponent = false;
  }

  private static BigDecimal bounded(BigDecimal value) {
    if (value.abs().compareTo(LIMIT) > 0) {
      return value.signum() < 0 ? LIMIT.negate() : LIMIT;
    }
    return value.scale() > NANO_SCALE ? value.setScale(NANO_SCALE, RoundingMode.UP) : value;
  }

  /**
   * Reads the whole text as a quantity: an optional sign, a decimal number, and then nothing, one
   * of {@code n u m k M G T P E}, one of {@code Ki Mi Gi Ti Pi Ei}, or {@code e} or {@code E} with
   * an integer of 32 bits.
   *
   * @return empty for any other text, and for one longer than {@link #MAX_LENGTH}
   */
  public static Optional<Quantity> parse(String text) {
    Quantity plain = plain(text);
    if (plain != null) {
      return Optional.of(plain);
    }
    return text.length() > MAX_LENGTH ? Optional.empty() : new QuantityText(text).read();
  }

  /**
   * Digits alone or before one of the suffixes that nearly all quantities have, computed in a long;
   * null for any other text.
   */
  private static @Nullable Quantity plain(String text) {
    int length = text.length();
    int digits = 0;
    long number = 0;
    while (digits < length && digits < SURE_DIGITS && isDigit(text.charAt(digits))) {
      number = 10 * number + (text.charAt(digits) - '0');
      digits++;
    }
    if (digits == 0) {
      return null;
    }
    return switch (text.substring(digits)) {
      case "" -> new Quantity(number, 0, false);
      case "m" -> new Quantity(number, MILLI_SCALE, false);
      case "Ki" -> binary(number, 10);
      case "Mi" -> binary(number, 20);
      case "Gi" -> binary(number, 30);
      default -> null;
    };
  }

  private static boolean isDigit(char c) {
    return '0' <= c && c <= '9';
  }

  private static @Nullable Quantity binary(long number, int bits) {
    return number > Long.MAX_VALUE >> bits ? null : new Quantity(number << bits, 0, true);
  }

  /** That many whole units. */
  public static Quantity of(long units) {
    return new Quantity(held(units), 0, false);
  }

  /** That many thousandths of a unit. */
  public static Quantity ofMillis(long millis) {
    return new Quantity(millis, MILLI_SCALE, false);
  }

  private static long held(long units) {
    return units == Long.MIN_VALUE ? -Long.MAX_VALUE : units;
  }

  /** That number, rounded away from zero to nine decimal places. */
  public static Quantity of(BigDecimal number) {
    return new Quantity(number, Notation.DECIMAL);
  }

  /** That many whole units, printed with binary suffixes where they fit, as memory is. */
  public static Quantity ofBinary(long units) {
    return new Quantity(held(units), 0, true);
  }

  /** The exact number, with at most nine decimal places. */
  public BigDecimal value() {
    return large == null ? BigDecimal.valueOf(unscaled, scale) : large;
  }

  /** -1, 0 or 1 as this is negative, zero or positive. */
  public int signum() {
    return large == null ? Long.signum(unscaled) : large.signum();
  }

  @Override
  public int compareTo(Quantity other) {
    return value().compareTo(other.value());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity that
        && unscaled == that.unscaled
        && scale == that.scale
        && Objects.equals(large, that.large);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(unscaled) + scale) + Objects.hashCode(large);
  }

  /**
   * The canonical text: no fraction, and the largest suffix of the notation that allows it. Binary
   * notation below 1024 changes to decimal, and above it rounds a fraction away from zero.
   */
  @Override
  public String toString() {
    if (signum() == 0) {
      return "0";
    }
    if (large == null && !binary && !exponent) {
      int thousands = Math.floorDiv(-scale, 3);
      long factor = POWERS[-scale - 3 * thousands];
      long most = Long.MAX_VALUE / factor;
      if (-most <= unscaled && unscaled <= most) {
        return unscaled * factor + decimalSuffix(thousands);
      }
    }
    BigDecimal value = value();
    return binary && value.abs().compareTo(new BigDecimal(KIBI)) >= 0
        ? binaryText(value)
        : decimalText(value);
  }

  private static String binaryText(BigDecimal value) {
    BigInteger number = value.setScale(0, RoundingMode.UP).toBigIntegerExact();
    int power = 0;
    while (power < BINARY_SUFFIXES.size() - 1 && number.mod(KIBI).signum() == 0) {
      number = number.divide(KIBI);
      power++;
    }
    return number + BINARY_SUFFIXES.get(power);
  }

  private String decimalText(BigDecimal value) {
    int thousands = Math.floorDiv(-value.scale(), 3);
    BigInteger number = value.scaleByPowerOfTen(-3 * thousands).toBigIntegerExact();
    if (exponent) {
      return thousands == 0 ? number.toString() : number + "e" + 3 * thousands;
    }
    return number + decimalSuffix(thousands);
  }

  private static String decimalSuffix(int thousands) {
    return DECIMAL_SUFFIXES.get(thousands + UNIT);
  }
}
