package dev.sluice.quota.amount;

import static dev.sluice.quota.amount.Amounts.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {
  private static final long MAX = Long.MAX_VALUE;
  private static final long MIN = Long.MIN_VALUE;

  @ParameterizedTest
  @CsvSource({
    "cpu, 100u, 1",
    "cpu, 2, 2000",
    "example.com/gpu, 1.5, 2",
    "memory, 1500m, 2",
    "memory, 1Ki, 1024",
    "cpu, 1E, 9223372036854775807",
    "cpu, -1E, -9223372036854775808"
  })
  void requestsAreRoundedUpToWholeUnitsAndHeldWithinSixtyFourBits(
      String resource, String quantity, long units) {
    assertThat(Amount.requested(resource, quantity(quantity))).isEqualTo(units);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1E",
    "cpu, 9223372036854775",
    "memory, 9223372036854775807",
    "pods, 9223372036854775807"
  })
  void quotasTooLargeToCountAreUnlimited(String resource, String quantity) {
    assertThat(Amount.quota(resource, quantity(quantity))).isEqualTo(UNLIMITED);
  }

  @Test
  void quotasJustBelowAreCounted() {
    assertThat(Amount.quota("cpu", quantity("9223372036854774"))).isEqualTo(9223372036854774000L);
    assertThat(Amount.quota("memory", quantity("8E"))).isEqualTo(8_000_000_000_000_000_000L);
  }

  @Test
  void unlimitedAbsorbsAndCancels() {
    assertThat(Amounts.plus(UNLIMITED, -5)).isEqualTo(UNLIMITED);
    assertThat(Amounts.minus(UNLIMITED, UNLIMITED)).isZero();
    assertThat(Amounts.minus(UNLIMITED, 7)).isEqualTo(UNLIMITED);
    assertThat(Amounts.minus(7, UNLIMITED)).isEqualTo(MIN);
  }

  @Test
  void boundedAmountsSaturateInsteadOfWrapping() {
    assertThat(Amounts.plus(MAX - 1, 2)).isEqualTo(MAX);
    assertThat(Amounts.plus(MIN, -1)).isEqualTo(MIN);
    assertThat(Amounts.minus(MIN, 1)).isEqualTo(MIN);
    assertThat(Amounts.minus(1, MIN)).isEqualTo(MAX);
    assertThat(Amounts.times(MIN, -1)).isEqualTo(MAX);
    assertThat(Amounts.times(1L << 62, 2)).isEqualTo(MAX);
    assertThat(Amounts.times(1L << 62, -4)).isEqualTo(MIN);
    assertThat(Amounts.times(-3, 4)).isEqualTo(-12);
    assertThat(Amounts.dividedBy(0, 0)).isZero();
    assertThat(Amounts.dividedBy(-7, 2)).isEqualTo(-3);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1500, 1500m",
    "cpu, 2000, 2",
    "memory, 1073741824, 1Gi",
    "hugepages-2Mi, 2097152, 2Mi",
    "example.com/gpu, 3000, 3k"
  })
  void isPrintedAsKubernetesWritesTheResource(String resource, long value, String text) {
    assertThat(new Amount(value).text(resource)).isEqualTo(text);
  }

  private static Quantity quantity(String text) {
    return Quantity.parse(text).orElseThrow();
  }
}
