package dev.sluice.see.forecast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.Queues;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import dev.sluice.see.runtimes.RunGroup;
import dev.sluice.see.runtimes.RunTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForecasterTest {
  private static final Forecaster.Bounds BOUNDS =
      new Forecaster.Bounds(8, 2, Duration.ofHours(2), 1_000);

  private final Queues queues = new Queues();
  private final HistoryTracker tracker = new HistoryTracker();
  private final RunTimes runTimes = new RunTimes();
  private final Arrivals arrivals = new Arrivals();
  private Instant now = queues.now();

  /** Two cpus; the first of two pods runs since then, the others wait. */
  @BeforeEach
  void aQueueThatIsFull() {
    queues.clusterQueue("cq", 2, "");
    queues.localQueue("a", "q", "cq");
    queues.workload("a", "first", "q", 2, "");
    queues.rest();
    queues.workload("a", "second", "q", 2, "");
    queues.workload("a", "third", "q", 1, "");
    queues.rest();
  }

  private void ends(int count, long seconds) {
    Subject subject =
        new Subject("u", new ObjectKey("a", "old"), "q", "s", "x", 0, RunTimeHints.NONE);
    Instant begin = now.minusSeconds(seconds);
    for (int i = 0; i < count; i++) {
      Held held = new Held("cq", begin, begin, begin, Usage.NONE);
      runTimes.add(new Transition(now, Step.FINISHED, subject, begin, held, "", ""));
    }
  }

  private Map<ObjectKey, Forecast> forecasts(BooleanSupplier goOn) {
    return forecasts(isNeeded -> isNeeded || goOn.getAsBoolean());
  }

  private Map<ObjectKey, Forecast> forecasts(Forecaster.Time time) {
    for (WorkloadState state : queues.snapshot().workloads()) {
      tracker.seen(state, queues.now());
    }
    return Forecaster.run(
        queues.engine(),
        now,
        runTimes.model(tracker.unfinished(), now),
        tracker::find,
        arrivals,
        BOUNDS,
        1,
        time);
  }

  private Forecast forecast(String name) {
    return requireNonNull(forecasts(() -> true).get(new ObjectKey("a", name)), name);
  }

  @Test
  void whereThereIsNoTimeForOnePlayNothingIsForecast() {
    ends(5, 100);
    AtomicInteger asked = new AtomicInteger();

    assertThat(forecasts(isNeeded -> asked.incrementAndGet() < 2)).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void whoIsNextStartsWhenTheFirstEnds() {
    now = now.plusSeconds(40);
    ends(5, 100);

    Forecast second = forecast("second");
    assertThat(second.status()).isEqualTo(Forecast.Status.WINDOW);
    assertThat(second.band()).isEqualTo(new Band(60, 60, 60));
    assertThat(second.at(60)).isEqualTo(now.plusSeconds(60));
    assertThat(second.basis().plays()).isEqualTo(8);
    assertThat(second.basis().group().map(RunGroup::level)).contains(RunGroup.Level.LOCAL_QUEUE);
    assertThat(forecast("third").band().middle()).isEqualTo(160);
  }

  @Test
  void withoutEndsNothingIsSaid() {
    ends(4, 100);

    assertThat(forecast("second").status()).isEqualTo(Forecast.Status.TOO_LITTLE_HISTORY);
  }

  @Test
  void whatTheUserSaysIsEnough() {
    queues.workload("a", "urgent", "q", 2, "'priority':5,'maximumExecutionTimeSeconds':50,");
    ends(5, 100);

    assertThat(forecast("second").band().middle()).isEqualTo(150);
  }

  @Test
  void oneThatNeverFitsIsBlocked() {
    queues.workload("a", "huge", "q", 9, "");
    ends(5, 100);

    assertThat(forecast("huge").status()).isEqualTo(Forecast.Status.BLOCKED);
    assertThat(forecast("second").status()).isEqualTo(Forecast.Status.WINDOW);
  }

  @Test
  void beyondTheHorizonNoTimeIsSaid() {
    ends(5, Duration.ofHours(3).toSeconds());

    assertThat(forecast("second").status()).isEqualTo(Forecast.Status.BEYOND_HORIZON);
  }

  @Test
  void onePlayedForwardLeavesTheEngineAsItIs() {
    ends(5, 100);
    forecasts(() -> true);

    assertThat(queues.snapshot().waitingCount("cq")).isEqualTo(2);
    assertThat(queues.snapshot().holders("cq")).hasSize(1);
  }

  @Test
  void whenTheTimeIsOverFewerPlaysAreMade() {
    ends(5, 100);

    Map<ObjectKey, Forecast> forecasts = forecasts(() -> false);

    assertThat(forecasts.values())
        .hasSize(2)
        .allSatisfy(
            it -> {
              assertThat(it.basis().plays()).isEqualTo(2);
              assertThat(it.status()).isEqualTo(Forecast.Status.WINDOW);
            });
  }

  @Test
  void aPlayThatIsCutOffDoesNotCount() {
    ends(5, 100);
    AtomicInteger asked = new AtomicInteger();

    Map<ObjectKey, Forecast> forecasts = forecasts(() -> asked.incrementAndGet() < 3);

    assertThat(asked.get()).isGreaterThan(1); // it began a third play
    assertThat(forecasts.values())
        .allSatisfy(
            it -> {
              assertThat(it.basis().plays()).isEqualTo(2);
              assertThat(it.band().isFinite()).isTrue();
            });
  }

  @Test
  void whoArrivesLaterWithAHigherPriorityMayBeFirst() {
    ends(5, 100);
    Instant yesterday = now.minus(Duration.ofDays(1));
    Subject urgent =
        new Subject("u", new ObjectKey("a", "x"), "q", "s", "2x(cpu=1000)", 9, RunTimeHints.NONE);
    for (int i = 0; i < 40; i++) {
      arrivals.add(
          new Transition(yesterday.plusSeconds(i), Step.QUEUED, urgent, yesterday, null, "", ""));
    }

    assertThat(forecast("second").band().middle()).isGreaterThan(100);
  }

  /** The API server checks no keys of a Workload's requests, and no topology level. */
  @ParameterizedTest
  @ValueSource(strings = {"2x(a\"b=1)", "2x(cpu=1000),required=x\"y", "2x(cpu=1000,\\=1)"})
  void oddNamesOfAnArrivalStopNoForecast(String shape) {
    ends(5, 100);
    Instant yesterday = now.minus(Duration.ofDays(1));
    Subject odd = new Subject("u", new ObjectKey("a", "x"), "q", "s", shape, 9, RunTimeHints.NONE);
    for (int i = 0; i < 40; i++) {
      arrivals.add(
          new Transition(yesterday.plusSeconds(i), Step.QUEUED, odd, yesterday, null, "", ""));
    }

    assertThat(forecast("second").status()).isEqualTo(Forecast.Status.WINDOW);
  }
}
