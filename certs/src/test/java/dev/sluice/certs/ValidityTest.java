package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidityTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @ParameterizedTest(name = "a lifetime of {0}")
  @CsvSource({
    "PT1M, -PT1M", // two minutes before the end
    "PT2M, PT0S",
    "PT5M, PT3M",
    "PT6M, PT4M", // from here on a third is more
    "PT1H, PT40M",
    "PT3H, PT2H",
    "P30D, P20D"
  })
  void aSuccessorIsDueWhenAThirdIsLeftHoweverEarlyItBegins(Duration lifetime, Duration until) {
    Validity validity = Validity.starting(NOW, lifetime);

    assertThat(validity.renewalDue()).isEqualTo(NOW.plus(until));
  }

  @Test
  void aShortCertificateThatDidNotBeginEarlyIsNotKeptToItsEnd() {
    Validity validity = new Validity(NOW, NOW.plus(Duration.ofMinutes(90)));

    assertThat(validity.renewalDue()).isEqualTo(NOW.plus(Duration.ofMinutes(60)));
  }
}
