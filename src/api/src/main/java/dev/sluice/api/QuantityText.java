package dev.sluice.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** One pass over the text of a quantity. Used once, by one thread. */
final class QuantityText {
  // Beyond this power of ten any number of at most MAX_LENGTH digits is past the limit of a
  // quantity, or below its finest step; a larger exponent would only cost memory.
  private static final int DECISIVE_EXPONENT = 2 * Quantity.MAX_LENGTH;
  private static final int MAX_EXPONENT_DIGITS = 10;

  private static final Map<String, Integer> THOUSANDS =
      Map.of("n", -3, "u", -2, "m", -1, "", 0, "k", 1, "M", 2, "G", 3, "T", 4, "P", 5, "E", 6);
  private static final Map<String, Integer> KIBIS =
      Map.of("Ki", 1, "Mi", 2, "Gi", 3, "Ti", 4, "Pi", 5, "Ei", 6);
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  private final String text;
  private int at;

  QuantityText(String text) {
    this.text = text;
  }

  Optional<Quantity> read() {
    boolean negative = readSign();
    String whole = readDigits();
    String fraction = readIf('.') ? readDigits() : "";
    if (whole.isEmpty() && fraction.isEmpty()) {
      return Optional.empty();
    }
    var number = new BigDecimal(new BigInteger(whole + fraction), fraction.length());
    return withSuffix(negative ? number.negate() : number, text.substring(at));
  }

  private Optional<Quantity> withSuffix(BigDecimal number, String suffix) {
    Integer thousands = THOUSANDS.get(suffix);
    if (thousands != null) {
      return quantity(number.scaleByPowerOfTen(3 * thousands), Quantity.Notation.DECIMAL);
    }
    Integer kibis = KIBIS.get(suffix);
    if (kibis != null) {
      return quantity(number.multiply(KIBI.pow(kibis)), Quantity.Notation.BINARY);
    }
    return readExponent()
        .flatMap(power -> quantity(scaled(number, power), Quantity.Notation.EXPONENT));
  }

  private Optional<Integer> readExponent() {
    if (!readIf('e') && !readIf('E')) {
      return Optional.empty();
    }
    boolean negative = readSign();
    String digits = readDigits();
    if (digits.isEmpty() || at < text.length() || digits.length() > MAX_EXPONENT_DIGITS) {
      return Optional.empty();
    }
    long power = negative ? -Long.parseLong(digits) : Long.parseLong(digits);
    return power == (int) power ? Optional.of((int) power) : Optional.empty();
  }

  private static BigDecimal scaled(BigDecimal number, int power) {
    return number.signum() == 0
        ? BigDecimal.ZERO
        : number.scaleByPowerOfTen(Math.clamp(power, -DECISIVE_EXPONENT, DECISIVE_EXPONENT));
  }

  private static Optional<Quantity> quantity(BigDecimal value, Quantity.Notation notation) {
    return Optional.of(new Quantity(value, notation));
  }

  /** Reads a sign, if there is one, and says whether it is a minus. */
  private boolean readSign() {
    boolean signed = at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+');
    return signed && text.charAt(at++) == '-';
  }

  private String readDigits() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return text.substring(start, at);
  }

  private boolean readIf(char expected) {
    boolean found = at < text.length() && text.charAt(at) == expected;
    if (found) {
      at++;
    }
    return found;
  }
}
