package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricDefinition.counter;
import static dev.sluice.scheduler.metrics.MetricDefinition.gauge;
import static dev.sluice.scheduler.metrics.MetricDefinition.times;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Decision.Skipped;
import dev.sluice.quota.decision.Decision.Skipped.Because;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts cycles, their duration, and preemptors that found no targets. Thread-safe. */
final class CycleMetrics {
  private static final MetricDefinition ATTEMPTS =
      counter(
          "kueue_admission_attempts_total",
          "Cycles; a success reserves quota for somebody",
          "result");
  private static final MetricDefinition DURATION =
      times(
          "kueue_admission_attempt_duration_seconds",
          "Time of a cycle",
          MetricDefinition.SHORT,
          "result");
  private static final MetricDefinition SKIPS =
      gauge(
          "kueue_admission_cycle_preemption_skips",
          "Workloads of the last cycle of the queue that came too late to preempt in it",
          "cluster_queue");
  private static final MetricDefinition RECOMPUTED =
      counter(
          "kueue_preemption_target_recomputations_total",
          "How often targets were looked for again, as others preempt the same, and what came of"
              + " it, where that was not other targets",
          "cluster_queue",
          "result");

  private final MetricSettings settings;
  private final Recorder recorder;
  private final Map<String, Integer> skips = new ConcurrentHashMap<>();

  CycleMetrics(MetricSettings settings, Recorder recorder) {
    this.settings = settings;
    this.recorder = recorder;
  }

  /** A cycle took that long. */
  void cycled(CycleResult result, long nanos) {
    boolean admits =
        result.outcomes().stream().anyMatch(o -> o.decision() instanceof Decision.Reserved);
    String word = admits ? "success" : "inadmissible";
    recorder.count(ATTEMPTS, word);
    recorder.time(DURATION, Duration.ofNanos(nanos), word);
    Map<String, Integer> skipped = new HashMap<>();
    for (Outcome outcome : result.outcomes()) {
      skipped.merge(outcome.clusterQueue(), isLatePreemption(outcome) ? 1 : 0, Integer::sum);
      recomputed(outcome);
    }
    skips.putAll(skipped);
  }

  private static boolean isLatePreemption(Outcome outcome) {
    return outcome.decision() instanceof Skipped(var assignment, var because)
        && because != Because.BETTER_VARIANT
        && assignment.mode() == Mode.PREEMPT;
  }

  private void recomputed(Outcome outcome) {
    if (!settings.overlaps()) {
      return;
    }
    if (outcome.decision() instanceof Decision.Deferred) {
      recorder.count(RECOMPUTED, outcome.clusterQueue(), "deferred_fit");
    } else if (outcome.decision() instanceof Skipped(_, var because)
        && because == Because.OVERLAPPING_TARGETS) {
      recorder.count(RECOMPUTED, outcome.clusterQueue(), "skipped");
    }
  }

  void measure(Rows rows, Snapshot snapshot) {
    skips.keySet().removeIf(queue -> !snapshot.hasClusterQueue(queue));
    skips.forEach((queue, count) -> rows.add(SKIPS, count, queue));
  }
}
