package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void doublesWithinBoundsAndStartsOver() {
    Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(350), new Random(1));

    assertThat(backoff.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(backoff.isLong()).isFalse();
    assertThat(backoff.next()).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
    assertThat(backoff.next()).isBetween(Duration.ofMillis(175), Duration.ofMillis(350));
    assertThat(backoff.next()).isBetween(Duration.ofMillis(175), Duration.ofMillis(350));

    assertThat(backoff.isLong()).isTrue();

    backoff.reset();

    assertThat(backoff.isLong()).isFalse();
    assertThat(backoff.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
  }
}
