package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerRateLimiterTest {
  private static final Optional<Duration> NO_WISH = Optional.empty();

  private long nanos = 17;
  private final WorkerRateLimiter gate = new WorkerRateLimiter(() -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      gate.failed(NO_WISH);
    }
  }

  @Test
  void twoHundredRequestsASecondAfterABurst() {
    pass(Duration.ofMinutes(1));
    Duration last = Duration.ZERO;
    for (int i = 0; i < 232; i++) {
      last = gate.slot();
    }

    assertThat(last).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aWorkerThatAsksForItIsLeftAlone() {
    gate.failed(Optional.of(Duration.ofSeconds(7)));

    assertThat(gate.closed()).isEqualTo(Duration.ofSeconds(7));
    pass(Duration.ofSeconds(7));
    assertThat(gate.closed()).isZero();
  }

  @Test
  void fourFailuresInARowChangeNothing() {
    fail(4);

    assertThat(gate.isBroken()).isFalse();
    assertThat(gate.closed()).isZero();
  }

  @Test
  void afterFiveFailuresOneRequestIsTriedAtEachStep() {
    fail(5);
    assertThat(gate.isBroken()).isTrue();
    assertThat(gate.closed()).isEqualTo(Duration.ofSeconds(1));

    pass(Duration.ofSeconds(1));
    assertThat(gate.closed()).as("the try").isZero();
    assertThat(gate.closed()).as("the others wait for it").isEqualTo(Duration.ofSeconds(1));

    gate.failed(NO_WISH);
    assertThat(gate.closed()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void stepsGrowToHalfAMinute() {
    fail(40);

    assertThat(gate.closed()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void anAnswerOpensIt() {
    fail(9);
    gate.answered();

    assertThat(gate.isBroken()).isFalse();
    assertThat(gate.closed()).isZero();
  }
}
