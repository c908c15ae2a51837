package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedMirrorsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");
  private final RefusedMirrors mirrors = new RefusedMirrors();

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "5, 32", "6, 60", "100, 60"})
  void theTimeBetweenTriesGrowsToAMinute(int times, int seconds) {
    assertThat(RefusedMirrors.pause(times)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aStatusIsTriedAgainWhenTheTimeIsOver() {
    assertThat(mirrors.until(WORKLOAD, NOW)).isEmpty();
    mirrors.refused(WORKLOAD, NOW);

    assertThat(mirrors.until(WORKLOAD, NOW.plusSeconds(1))).contains(NOW.plusSeconds(2));
    assertThat(mirrors.until(WORKLOAD, NOW.plusSeconds(2))).isEmpty();
    mirrors.refused(WORKLOAD, NOW.plusSeconds(2));
    assertThat(mirrors.until(WORKLOAD, NOW.plusSeconds(3))).contains(NOW.plusSeconds(6));
  }

  @Test
  void aStatusThatIsTakenEndsTheBackoff() {
    mirrors.refused(WORKLOAD, NOW);
    mirrors.refused(WORKLOAD, NOW);
    mirrors.forget(WORKLOAD);
    mirrors.refused(WORKLOAD, NOW);

    assertThat(mirrors.until(WORKLOAD, NOW)).contains(NOW.plusSeconds(2));
  }
}
