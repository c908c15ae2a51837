package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.quota.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts what happens to Workloads by what is seen of them, so that each replica counts the same,
 * whoever did it. What happened while nobody looked is not counted. Thread-safe.
 */
final class WorkloadMetrics {
  private final MetricSettings settings;
  private final Recorder recorder;
  private final LocalQueueMetrics localQueues;
  private final Supplier<Snapshot> snapshot;

  /**
   * Counts with that recorder.
   *
   * @param localQueues which of them are measured
   */
  WorkloadMetrics(
      MetricSettings settings,
      Recorder recorder,
      LocalQueueMetrics localQueues,
      Supplier<Snapshot> snapshot) {
    this.settings = settings;
    this.recorder = recorder;
    this.localQueues = localQueues;
    this.snapshot = snapshot;
  }

  /** A Workload has changed. */
  void seen(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    for (JsonNode condition : after.path("status").path("conditions")) {
      String type = condition.path("type").asText();
      if (SeenConditions.isTrue(condition)
          && (!SeenConditions.isTrue(before, type) || isEvictedAgain(type, before, after))) {
        became(type, condition, before, after);
      }
    }
    if (SeenConditions.isTrue(before, "QuotaReserved")
        && !SeenConditions.isTrue(after, "QuotaReserved")) {
      SeenConditions.find(after, "Evicted")
          .filter(SeenConditions::isTrue)
          .ifPresent(evicted -> gaveBack(evicted, before, after));
    }
  }

  /** One that still has to give way may have to for another reason, too. */
  private static boolean isEvictedAgain(String type, JsonNode before, JsonNode after) {
    return type.equals("Evicted") && evictions(after) > evictions(before);
  }

  private WorkloadSeries series(JsonNode before, JsonNode after) {
    return new WorkloadSeries(recorder, localQueues, snapshot.get(), before, after);
  }

  private void became(String type, JsonNode condition, JsonNode before, JsonNode after) {
    Optional<Instant> now = SeenConditions.since(condition);
    switch (type) {
      case "QuotaReserved" -> {
        WorkloadSeries series = series(before, after);
        series.count(WorkloadMetricDefinitions.RESERVED);
        series.time(WorkloadMetricDefinitions.RESERVED_WAIT, SeenConditions.queued(after), now);
      }
      case "Admitted" -> {
        WorkloadSeries series = series(before, after);
        series.count(WorkloadMetricDefinitions.ADMITTED);
        if (settings.cohorts()) {
          series.countInCohorts();
        }
        series.time(WorkloadMetricDefinitions.ADMITTED_WAIT, SeenConditions.queued(after), now);
        Optional<Instant> reserved = SeenConditions.since(after, "QuotaReserved");
        series.time(WorkloadMetricDefinitions.CHECKS_WAIT, reserved, now);
      }
      case "PodsReady" -> ready(condition, before, after);
      case "Evicted" -> evicted(condition, before, after);
      case "Finished" -> finished(condition, before, after);
      default -> {} // no metric of its own
    }
  }

  /** Pods that are ready again after a failure say nothing of how long one waits to start. */
  private void ready(JsonNode condition, JsonNode before, JsonNode after) {
    if (condition.path("reason").asText().equals("Started")) {
      Optional<Instant> now = SeenConditions.since(condition);
      WorkloadSeries series = series(before, after);
      series.time(WorkloadMetricDefinitions.READY_WAIT, SeenConditions.queued(after), now);
      Optional<Instant> admitted = SeenConditions.since(after, "Admitted");
      series.time(WorkloadMetricDefinitions.ADMITTED_READY, admitted, now);
    }
  }

  private void finished(JsonNode condition, JsonNode before, JsonNode after) {
    WorkloadSeries series = series(before, after);
    if (condition.path("reason").asText().equals("WorkloadSliceReplaced")) {
      recorder.count(WorkloadMetricDefinitions.REPLACED, series.clusterQueue());
    }
    series.count(WorkloadMetricDefinitions.FINISHED);
    Optional<Instant> admitted = SeenConditions.since(after, "Admitted");
    series.time(WorkloadMetricDefinitions.EXECUTION, admitted, SeenConditions.since(condition));
  }

  private void evicted(JsonNode condition, JsonNode before, JsonNode after) {
    WorkloadSeries series = series(before, after);
    EvictionReason reason = EvictionReason.of(condition.path("reason").asText(), before, after);
    if (evictions(after) == 1) {
      series.count(WorkloadMetricDefinitions.EVICTED_ONCE, reason.plain(), reason.cause());
    }
    series.count(WorkloadMetricDefinitions.EVICTED, reason.plain(), reason.cause());
    Optional<Instant> ready =
        SeenConditions.find(before, "PodsReady")
            .filter(SeenConditions::isTrue)
            .filter(_ -> !SeenConditions.isTrue(before, "Evicted")) // else it was timed then
            .flatMap(SeenConditions::since);
    Optional<Instant> until = SeenConditions.since(condition);
    if (ready.isPresent() && until.isPresent()) {
      recorder.time(
          WorkloadMetricDefinitions.READY_EVICTED,
          Duration.between(ready.get(), until.get()),
          series.clusterQueue(),
          reason.plain(),
          reason.cause());
    }
    if (reason.plain().equals("Preempted")) {
      SeenConditions.find(after, "Preempted")
          .filter(SeenConditions::isTrue)
          .ifPresent(this::preempted);
    }
  }

  private void preempted(JsonNode condition) {
    String by = EvictionReason.preemptor(condition.path("message").asText());
    recorder.count(WorkloadMetricDefinitions.PREEMPTED, by, condition.path("reason").asText());
  }

  private static long evictions(JsonNode workload) {
    long all = 0;
    for (JsonNode count : workload.path("status").path("schedulingStats").path("evictions")) {
      all += count.path("count").asLong();
    }
    return all;
  }

  /** Its owner has stopped it, and its quota is free. */
  private void gaveBack(JsonNode evicted, JsonNode before, JsonNode after) {
    Optional<Instant> from = SeenConditions.since(evicted);
    Optional<Instant> to = SeenConditions.since(after, "QuotaReserved");
    if (from.isPresent() && to.isPresent()) {
      recorder.time(
          WorkloadMetricDefinitions.EVICTION_LATENCY,
          Duration.between(from.get(), to.get()),
          series(before, after).clusterQueue(),
          EvictionReason.of(evicted.path("reason").asText()).plain());
    }
  }
}
