package dev.sluice.see.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import dev.sluice.see.history.WorkloadFacts;
import dev.sluice.see.runtimes.RunGroup.Level;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTimesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

  private final RunTimes runTimes = new RunTimes();

  private static Subject subject(String series, String shape, String queue, RunTimeHints hints) {
    return new Subject("u", new ObjectKey("a", "w"), queue, series, shape, 0, hints);
  }

  private static Held held(String clusterQueue, long seconds) {
    Instant begin = NOW.minusSeconds(seconds);
    return new Held(clusterQueue, begin, begin, begin, Usage.NONE);
  }

  private void ran(Subject subject, String clusterQueue, long seconds, Step end) {
    runTimes.add(new Transition(NOW, end, subject, NOW, held(clusterQueue, seconds), "", ""));
  }

  private void fiveEnds(Subject subject, String clusterQueue, long seconds) {
    for (int i = 0; i < 5; i++) {
      ran(subject, clusterQueue, seconds, Step.FINISHED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "s, x, q, cq, SERIES, 10",
    "other, x, q, cq, SHAPE, 10",
    "other, y, q, cq, LOCAL_QUEUE, 10",
    "other, y, r, cq, CLUSTER_QUEUE, 10",
    "other, y, r, dq, ALL, 10",
  })
  void theNarrowestGroupWithFiveEndsDecides(
      String series, String shape, String queue, String clusterQueue, Level level, double seconds) {
    fiveEnds(subject("s", "x", "q", RunTimeHints.NONE), "cq", 10);

    RunTimeEstimate estimate =
        runTimes
            .model(List.of(), NOW)
            .of(subject(series, shape, queue, RunTimeHints.NONE), clusterQueue)
            .orElseThrow();

    assertThat(estimate.group().level()).isEqualTo(level);
    assertThat(estimate.quantile(0, 0.5)).isEqualTo(seconds);
  }

  @Test
  void fourEndsAreTooFew() {
    Subject subject = subject("s", "x", "q", RunTimeHints.NONE);
    for (int i = 0; i < 4; i++) {
      ran(subject, "cq", 10, Step.FINISHED);
    }
    ran(subject, "cq", 10, Step.RELEASED);

    assertThat(runTimes.model(List.of(), NOW).of(subject, "cq")).isEmpty();
  }

  @Test
  void theLimitOfTheUserCapsAndTheExpectationWins() {
    fiveEnds(subject("s", "x", "q", RunTimeHints.NONE), "cq", 100);
    RunTimeModel model = runTimes.model(List.of(), NOW);

    assertThat(quantile(model, new RunTimeHints(40, 0), 0)).isEqualTo(40);
    assertThat(quantile(model, new RunTimeHints(0, 70), 0)).isEqualTo(70);
    assertThat(quantile(model, new RunTimeHints(60, 70), 0)).isEqualTo(60);
    assertThat(quantile(model, new RunTimeHints(0, 70), 80)).isEqualTo(100);
    assertThat(quantile(model, RunTimeHints.NONE, 0)).isEqualTo(100);
  }

  private static double quantile(RunTimeModel model, RunTimeHints hints, double elapsed) {
    return model.of(subject("s", "x", "q", hints), "cq").orElseThrow().quantile(elapsed, 0.5);
  }

  @Test
  void thoseThatStillRunCountAsCutOff() {
    Subject subject = subject("s", "x", "q", RunTimeHints.NONE);
    fiveEnds(subject, "cq", 10);
    List<WorkloadFacts> present =
        List.of(
            new WorkloadFacts(subject, NOW, held("cq", 500), null, null),
            new WorkloadFacts(subject, NOW, held("cq", 500), null, null));

    Survival curve = runTimes.model(present, NOW).of(subject, "cq").orElseThrow().curve();

    assertThat(curve.samples()).isEqualTo(7);
    assertThat(curve.after(10)).isGreaterThan(0.2);
    assertThat(curve.quantile(0, 0.9)).isGreaterThan(500);
  }
}
