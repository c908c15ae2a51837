package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuthorityCheckTest {
  @Test
  void anAnnotationThatNoServerHasWrittenNamesNoAuthority() {
    String until = "until 2027-01-01T00:00:00Z, serial 1";

    assertThat(AuthorityCheck.read("signing since 2026-01-01T00:00:00Z " + until)).hasSize(1);
    assertThat(AuthorityCheck.read("signing since yesterday " + until)).isEmpty();
    assertThat(AuthorityCheck.read("")).isEmpty();
  }
}
