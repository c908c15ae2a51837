package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WatchFailuresTest {
  @Test
  void doublesWithinBoundsAndStartsOver() {
    WatchFailures failures =
        new WatchFailures(Duration.ofMillis(100), Duration.ofMillis(350), new Random(1));

    assertThat(failures.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(failures.isLong()).isFalse();
    assertThat(failures.next()).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
    assertThat(failures.next()).isBetween(Duration.ofMillis(175), Duration.ofMillis(350));
    assertThat(failures.next()).isBetween(Duration.ofMillis(175), Duration.ofMillis(350));

    assertThat(failures.isLong()).isTrue();

    failures.reset();

    assertThat(failures.isLong()).isFalse();
    assertThat(failures.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
  }
}
