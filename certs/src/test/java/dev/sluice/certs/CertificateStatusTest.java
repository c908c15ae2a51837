package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.certs.CertificateStatus.Authority;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateStatusTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void theLineOfAnAnnotationIsReadAsItWasWritten() {
    List<Authority> authorities =
        List.of(
            new Authority(AuthorityStage.INTRODUCED, SINCE.plusSeconds(1), UNTIL, "a1"),
            new Authority(AuthorityStage.SIGNING, SINCE, UNTIL, "b2"),
            new Authority(AuthorityStage.RETIRED, SINCE, UNTIL, "c3"),
            new Authority(AuthorityStage.WITHDRAWN, SINCE, UNTIL, "d4"));

    assertThat(CertificateStatus.parse(CertificateStatus.line(authorities))).isEqualTo(authorities);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nobody has written this",
        "signing since yesterday until 2027-01-01T00:00:00Z, serial 1",
        "thriving since 2026-01-01T00:00:00Z until 2027-01-01T00:00:00Z, serial 1"
      })
  void aLineThatNoServerOfThisReleaseHasWrittenNamesNoAuthority(String line) {
    assertThat(CertificateStatus.parse(line)).isEmpty();
  }
}
