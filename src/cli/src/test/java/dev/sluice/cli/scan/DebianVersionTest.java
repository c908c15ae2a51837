package dev.sluice.cli.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules are those of Debian's policy manual, section 5.6.12. */
class DebianVersionTest {
  @ParameterizedTest
  @CsvSource({
    "2.36-9+deb12u9, 2.36-9+deb12u10",
    "2.36-9, 2.36-9+deb12u1",
    "2.36-9+deb12u14, 2.37-1",
    "1.0~rc1-1, 1.0-1",
    "1.0~~, 1.0~",
    "1.0, 1.0a",
    "1.0a, 1.0+b",
    "9, 1:1",
    "1.2-9, 1.10-1",
    "1.0-1, 1.0-1.1",
    "20230311, 20230311+deb12u1",
    "1.001, 1.2"
  })
  void theFirstComesBeforeTheSecond(String earlier, String later) {
    assertThat(DebianVersion.ORDER.compare(earlier, later)).isNegative();
    assertThat(DebianVersion.ORDER.compare(later, earlier)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1.0", "1.0, 1.0-0", "0:1.0, 1.0", "1.01, 1.1"})
  void bothAreTheSame(String one, String other) {
    assertThat(DebianVersion.ORDER.compare(one, other)).isZero();
  }
}
