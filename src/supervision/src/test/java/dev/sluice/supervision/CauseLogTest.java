package dev.sluice.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CauseLogTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CauseLog log = new CauseLog(nanos::get);

  private static IllegalStateException here() {
    return new IllegalStateException("one cause");
  }

  @Test
  void theSameCauseIsLoggedOnceAMinuteWithTheNumberOfTimes() {
    assertThat(log.happened(here())).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      assertThat(log.happened(here())).isZero();
    }

    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(log.happened(here())).isEqualTo(11);
    assertThat(log.happened(here())).isZero();
  }

  @Test
  void anotherCauseIsLoggedAtOnce() {
    assertThat(log.happened(here())).isEqualTo(1);
    assertThat(log.happened(new IllegalArgumentException("another"))).isEqualTo(1);
    assertThat(log.happened(new IllegalStateException("the same class elsewhere"))).isEqualTo(1);
  }
}
