package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "+7, 7",
    "-7, -7",
    "007, 7",
    "5., 5",
    ".5, 0.5",
    "-.5, -0.5",
    "1.25, 1.25",
    "3n, 0.000000003",
    "3u, 0.000003",
    "3m, 0.003",
    "3k, 3000",
    "3M, 3000000",
    "3G, 3000000000",
    "3T, 3000000000000",
    "3P, 3000000000000000",
    "3E, 3000000000000000000",
    "2Ki, 2048",
    "2Mi, 2097152",
    "2Gi, 2147483648",
    "2Ti, 2199023255552",
    "2Pi, 2251799813685248",
    "2Ei, 2305843009213693952",
    "1.5Gi, 1610612736",
    ".5Ki, 512",
    "5.k, 5000",
    "1e3, 1000",
    "1E3, 1000",
    "1e+3, 1000",
    "25e-1, 2.5",
    "1.5E2, 150",
    "1E, 1000000000000000000",
    "0e5, 0",
  })
  void readsEachFormOfTheGrammar(String text, BigDecimal value) {
    assertThat(read(text).value()).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "+",
        "-",
        "+.",
        "--1",
        "+-1",
        "1 ",
        " 1",
        "1 k",
        "1,5",
        "1.2.3",
        "K",
        "1K",
        "1ki",
        "1kI",
        "1mi",
        "1Kib",
        "1kk",
        "1e",
        "1e+",
        "1e1.5",
        "1e5m",
        "1e5Ki",
        "0x10",
        "1_000",
        "Infinity",
        "NaN",
        "many",
        "1e99999999999",
        "1e2147483648",
        "1e-2147483649",
        "\u0661"
      })
  void refusesWhatIsNoQuantity(String text) {
    assertThat(Quantity.parse(text)).isEmpty();
  }

  @Test
  void refusesATextBeyondTheLongest() {
    assertThat(Quantity.parse("1" + "0".repeat(Quantity.MAX_LENGTH - 1))).isPresent();
    assertThat(Quantity.parse("1" + "0".repeat(Quantity.MAX_LENGTH))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0.1n, 0.000000001",
    "-0.1n, -0.000000001",
    "1.0000000001, 1.000000001",
    "-1.0000000001, -1.000000001",
    "1e-999999999, 0.000000001",
    "1e-2147483648, 0.000000001",
  })
  void roundsAwayFromZeroToOneBillionth(String text, BigDecimal value) {
    assertThat(read(text).value()).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, 9223372036854775807",
    "-9223372036854775808, -9223372036854775807",
    "8Ei, 9223372036854775807",
    "1000E, 9223372036854775807",
    "1e999999999, 9223372036854775807",
    "-1e2147483647, -9223372036854775807",
  })
  void takesWhatIsBeyondTheLimitAsTheLimit(String text, BigDecimal value) {
    assertThat(read(text).value()).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0",
    "-2, -1",
    "0, 1n",
    "1n, 1.1n",
    "999m, 1",
    "1000, 1Ki",
    "1023.9, 1Ki",
    "1G, 1Gi",
    "1e3, 1001",
  })
  void ordersByTheNumber(String smaller, String larger) {
    assertThat(read(smaller)).isLessThan(read(larger));
    assertThat(read(larger)).isGreaterThan(read(smaller));
  }

  @ParameterizedTest
  @CsvSource({"1000m, 1", "1Ki, 1024", "1e3, 1k", "0, -0", "0.5, 500m", "1.50, 1.5"})
  void isEqualWhereTheNumberIs(String one, String other) {
    assertThat(read(one)).isEqualTo(read(other)).hasSameHashCodeAs(read(other));
    assertThat(read(one)).isEqualByComparingTo(read(other));
  }

  @ParameterizedTest
  @CsvSource({"-1m, -1", "-0, 0", "0Gi, 0", "0.1n, 1"})
  void knowsItsSign(String text, int sign) {
    assertThat(read(text).signum()).isEqualTo(sign);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0Ki, 0",
    "-0, 0",
    "9, 9",
    "-9, -9",
    "1000, 1k",
    "1024, 1024",
    "1500, 1500",
    "15000, 15k",
    "0.5, 500m",
    "1.5, 1500m",
    "1000m, 1",
    "1000n, 1u",
    "12345678, 12345678",
    "1Gi, 1Gi",
    "1024Ki, 1Mi",
    "1.5Gi, 1536Mi",
    "1000Ki, 1000Ki",
    "0.5Ki, 512",
    "0.1Ki, 102400m",
    "1.0001Ki, 1025",
    "-2048Ki, -2Mi",
    "1e3, 1e3",
    "12e2, 1200",
    "1e-3, 1e-3",
    "100e4, 1e6",
    "5e0, 5",
    "9000E, 9223372036854775807",
  })
  void printsTheCanonicalText(String text, String canonical) {
    assertThat(read(text)).hasToString(canonical);
  }

  @Test
  void countsWholeUnits() {
    assertThat(Quantity.of(3000)).isEqualTo(read("3k")).hasToString("3k");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void unitsMillisAndBinaryUnitsAreWhatTheirTextsRead(long seed) {
    long number = new Random(seed).nextLong() >> (seed % 63);

    assertThat(Quantity.of(number)).isEqualTo(read(number + ""));
    assertThat(Quantity.of(number)).hasToString(read(number + "").toString());
    assertThat(Quantity.ofMillis(number)).isEqualTo(read(number + "m"));
    assertThat(Quantity.ofMillis(number)).hasToString(read(number + "m").toString());
    assertThat(Quantity.ofBinary(number)).isEqualTo(read(number + ""));
  }

  /** A sign in front leaves the number as it is, and is not read in the short way. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aPlainTextReadsAsOneInTheFullGrammar(long seed) {
    var random = new Random(seed);
    for (String suffix : new String[] {"", "m", "Ki", "Mi", "Gi", "Ti", "k", "e2", "n"}) {
      String text =
          "0".repeat(random.nextInt(3)) + (random.nextLong() >>> (1 + random.nextInt(63))) + suffix;

      assertThat(read(text)).isEqualTo(read("+" + text)).hasToString(read("+" + text).toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-9223372036854775808, -9223372036854775807, -9223372036854775808m",
    "-9223372036854775807, -9223372036854775807, -9223372036854775807m",
    "9223372036854775807, 9223372036854775807, 9223372036854775807m",
    "922337203685477580, 922337203685477580, 922337203685477580m",
    "92233720368547758, 92233720368547758, 92233720368547758m",
    "1000000000000000000, 1E, 1P",
    "-1500, -1500, -1500m",
    "0, 0, 0",
  })
  void countsUpToTheLimits(long number, String units, String millis) {
    assertThat(Quantity.of(number)).hasToString(units);
    assertThat(Quantity.ofMillis(number)).hasToString(millis);
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyCanonicalTextIsReadBackAsTheSameNumber(long seed) {
    var random = new Random(seed);
    String[] suffixes = {"", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-2"};
    String suffix = suffixes[random.nextInt(suffixes.length)];
    var quantity = read((random.nextLong() >> random.nextInt(63)) + suffix);

    // a binary quantity with a fraction is printed rounded, but these have none
    assertThat(read(quantity.toString())).isEqualTo(quantity);
  }

  private static Quantity read(String text) {
    return Quantity.parse(text).orElseThrow();
  }
}
