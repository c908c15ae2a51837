package dev.sluice.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private static final Optional<String> NO_GO = Optional.of("install Go");

  @Test
  void runsWhereNothingStandsInTheWay() {
    assertThat(Readiness.of(Optional.empty(), false)).isEqualTo(new Readiness.Ready());
    assertThat(Readiness.of(Optional.empty(), true)).isEqualTo(new Readiness.Ready());
  }

  @Test
  void skipsOnAMachineWithoutTheMeans() {
    assertThat(Readiness.of(NO_GO, false)).isEqualTo(new Readiness.Skipped("install Go"));
  }

  @Test
  void failsWhereSkippingWouldGoUnnoticed() {
    assertThat(Readiness.of(NO_GO, true)).isEqualTo(new Readiness.Failing("install Go"));
  }
}
