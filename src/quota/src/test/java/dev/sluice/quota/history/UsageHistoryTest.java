package dev.sluice.quota.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageHistoryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ObjectKey QUEUE = new ObjectKey("default", "team-a");
  private static final ObjectKey WORKLOAD = new ObjectKey("default", "w");

  private static UsageHistory history(Duration halfLife) {
    return new UsageHistory(
        new AdmissionFairSharing(halfLife, Duration.ofMinutes(5), Map.of("memory", 0.0)));
  }

  private static Map<String, BigDecimal> cpu(int cores) {
    return Map.of("cpu", BigDecimal.valueOf(cores));
  }

  @Test
  void usageFadesTowardsWhatRuns() {
    var history = history(Duration.ofHours(1));
    history.seed(QUEUE, cpu(10), NOW);

    history.found(QUEUE, cpu(4), NOW);
    history.refresh(QUEUE, NOW.plusSeconds(300));

    assertThat(history.usage(QUEUE, 1)).isCloseTo(9.6632, within(0.0001));
  }

  @Test
  void nothingIsRefreshedBeforeItsTime() {
    var history = history(Duration.ofHours(1));
    history.seed(QUEUE, cpu(10), NOW);

    history.refresh(QUEUE, NOW.plusSeconds(299));

    assertThat(history.usage(QUEUE, 1)).isEqualTo(10);
  }

  @Test
  void anAdmissionCountsAtOnceAndOnce() {
    var history = history(Duration.ofHours(1));
    history.reserved(QUEUE, WORKLOAD, cpu(8), NOW);
    assertThat(history.usage(QUEUE, 1)).isCloseTo(0.449, within(0.0001));
    assertThat(history.usage(QUEUE, 2)).isCloseTo(0.2245, within(0.0001));

    history.admitted(QUEUE, WORKLOAD, NOW);
    history.withdrawn(QUEUE, WORKLOAD);

    assertThat(history.usage(QUEUE, 1)).isCloseTo(0.449, within(0.0001));
  }

  @Test
  void whatIsWrittenDownHasWhatWasOnlyJustGivenInIt() {
    var history = history(Duration.ofHours(1));
    assertThat(history.now().sample(QUEUE, NOW)).isEmpty();

    history.seed(QUEUE, cpu(2), NOW);
    history.reserved(QUEUE, WORKLOAD, cpu(8), NOW);

    var sample = history.now().sample(QUEUE, NOW).orElseThrow();
    assertThat(sample.consumed())
        .hasEntrySatisfying(
            "cpu", it -> assertThat(it.doubleValue()).isCloseTo(2.449, within(0.0001)));
    assertThat(sample.updated()).isEqualTo(NOW);
    assertThat(sample.interval()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void whatRanCountsForAsLongAsItRanThoughNobodyLookedMeanwhile() {
    var history = history(Duration.ofHours(1));
    history.started(QUEUE, cpu(4), NOW);
    history.ended(QUEUE, cpu(4), NOW.plusSeconds(3600));

    assertThat(history.usage(QUEUE, 1)).isCloseTo(2, within(0.0001));
    history.refresh(QUEUE, NOW.plusSeconds(7200));
    assertThat(history.usage(QUEUE, 1)).isCloseTo(1, within(0.0001));
  }

  @Test
  void whatIsWrittenDownHasWhatRanUntilThenAndIsNotCountedTwice() {
    var history = history(Duration.ofHours(1));
    history.started(QUEUE, cpu(4), NOW);

    var sample = history.now().sample(QUEUE, NOW.plusSeconds(3600)).orElseThrow();
    assertThat(sample.consumed())
        .hasEntrySatisfying("cpu", it -> assertThat(it.doubleValue()).isCloseTo(2, within(0.0001)));
    assertThat(sample.updated()).isEqualTo(NOW.plusSeconds(3600));

    history.ended(QUEUE, cpu(4), NOW.plusSeconds(3600));
    assertThat(history.usage(QUEUE, 1)).isCloseTo(2, within(0.0001));
  }

  @Test
  void whatRunsWhenAProcessBeginsRanSinceTheLastOneWroteItDown() {
    for (boolean queueFirst : new boolean[] {true, false}) {
      var history = history(Duration.ofHours(1));
      if (queueFirst) {
        history.seed(QUEUE, cpu(2), NOW.minusSeconds(3600));
        history.found(QUEUE, cpu(4), NOW);
      } else {
        history.found(QUEUE, cpu(4), NOW);
        history.seed(QUEUE, cpu(2), NOW.minusSeconds(3600));
      }

      history.refresh(QUEUE, NOW);

      assertThat(history.usage(QUEUE, 1)).as("%s", queueFirst).isCloseTo(3, within(0.0001));
    }
  }

  @Test
  void aLocalQueueThatIsDeletedIsForgottenAndOneThatComesAgainCountsWhatStillRuns() {
    var history = history(Duration.ofHours(1));
    history.started(QUEUE, cpu(8), NOW);
    history.forget(QUEUE);

    history.ended(QUEUE, cpu(4), NOW.plusSeconds(3600));
    assertThat(history.usage(QUEUE, 1)).isZero();

    history.seed(QUEUE, Map.of(), NOW.plusSeconds(3600));
    history.refresh(QUEUE, NOW.plusSeconds(7200));
    assertThat(history.usage(QUEUE, 1)).isCloseTo(2, within(0.0001));
  }

  @Test
  void whatEndsBeforeItIsAdmittedLeavesNoTrace() {
    var history = history(Duration.ofHours(1));
    history.reserved(QUEUE, WORKLOAD, cpu(8), NOW);

    history.withdrawn(QUEUE, WORKLOAD);

    assertThat(history.usage(QUEUE, 1)).isZero();
  }

  @Test
  void resourcesOfWeightZeroDoNotCountAndQueuesWithoutWeightComeLast() {
    var history = history(Duration.ofHours(1));
    history.seed(QUEUE, Map.of("memory", BigDecimal.TEN), NOW);

    assertThat(history.usage(QUEUE, 1)).isZero();
    assertThat(history.usage(QUEUE, 0)).isInfinite();
  }

  @Test
  void withoutAHalfLifeNothingIsRemembered() {
    var history = history(Duration.ZERO);
    history.seed(QUEUE, cpu(10), NOW);

    history.found(QUEUE, cpu(4), NOW);
    history.refresh(QUEUE, NOW.plusSeconds(300));

    assertThat(history.usage(QUEUE, 1)).isZero();
  }

  @Test
  void aVeryOldPastIsForgotten() {
    var history = history(Duration.ofHours(1));
    history.seed(QUEUE, cpu(10), Instant.parse("0001-01-01T00:00:00Z"));

    history.found(QUEUE, cpu(4), NOW);
    history.refresh(QUEUE, NOW);

    assertThat(history.usage(QUEUE, 1)).isEqualTo(4);
  }
}
