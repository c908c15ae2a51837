package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.quota.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts events of Workloads from their observed changes, so that each replica counts the same.
 * Changes while no process was running are not counted. Thread-safe.
 */
final class WorkloadMetrics {
  private final MetricSettings settings;
  private final Recorder recorder;
  private final LocalQueueMetrics localQueues;
  private final WorkloadLabels labels;
  private final Supplier<Snapshot> snapshot;

  /**
   * Counts with that recorder.
   *
   * @param localQueues which of them are measured
   * @param labels additional labels of quota and admission counters
   */
  WorkloadMetrics(
      MetricSettings settings,
      Recorder recorder,
      LocalQueueMetrics localQueues,
      WorkloadLabels labels,
      Supplier<Snapshot> snapshot) {
    this.settings = settings;
    this.recorder = recorder;
    this.localQueues = localQueues;
    this.labels = labels;
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
      if (Conditions.isTrue(condition)
          && (!Conditions.isTrue(before, type) || isEvictedAgain(type, before, after))) {
        became(type, condition, before, after);
      }
    }
    if (Conditions.isTrue(before, ConditionTypes.QUOTA_RESERVED)
        && !Conditions.isTrue(after, ConditionTypes.QUOTA_RESERVED)) {
      Conditions.find(after, ConditionTypes.EVICTED)
          .filter(Conditions::isTrue)
          .ifPresent(evicted -> gaveBack(evicted, before, after));
    }
  }

  /** An evicted Workload may be evicted again for another reason. */
  private static boolean isEvictedAgain(String type, JsonNode before, JsonNode after) {
    return type.equals(ConditionTypes.EVICTED) && evictions(after) > evictions(before);
  }

  private WorkloadSeries series(JsonNode before, JsonNode after) {
    return new WorkloadSeries(recorder, localQueues, snapshot.get(), before, after);
  }

  private void became(String type, JsonNode condition, JsonNode before, JsonNode after) {
    Optional<Instant> now = ConditionTimes.since(condition);
    switch (type) {
      case ConditionTypes.QUOTA_RESERVED -> {
        WorkloadSeries series = series(before, after);
        series.countTagged(WorkloadMetricDefinitions.RESERVED, labels.of(after));
        series.time(WorkloadMetricDefinitions.RESERVED_WAIT, ConditionTimes.queued(after), now);
      }
      case ConditionTypes.ADMITTED -> {
        WorkloadSeries series = series(before, after);
        series.countTagged(WorkloadMetricDefinitions.ADMITTED, labels.of(after));
        if (settings.cohorts()) {
          series.countInCohorts();
        }
        series.time(WorkloadMetricDefinitions.ADMITTED_WAIT, ConditionTimes.queued(after), now);
        Optional<Instant> reserved = ConditionTimes.since(after, ConditionTypes.QUOTA_RESERVED);
        series.time(WorkloadMetricDefinitions.CHECKS_WAIT, reserved, now);
      }
      case ConditionTypes.PODS_READY -> ready(condition, before, after);
      case ConditionTypes.EVICTED -> evicted(condition, before, after);
      case ConditionTypes.FINISHED -> finished(condition, before, after);
      default -> {} // no metric of its own
    }
  }

  /** Pods that are ready again after a failure say nothing of how long one waits to start. */
  private void ready(JsonNode condition, JsonNode before, JsonNode after) {
    if (condition.path("reason").asText().equals(Reasons.STARTED)) {
      Optional<Instant> now = ConditionTimes.since(condition);
      WorkloadSeries series = series(before, after);
      series.time(WorkloadMetricDefinitions.READY_WAIT, ConditionTimes.queued(after), now);
      Optional<Instant> admitted = ConditionTimes.since(after, ConditionTypes.ADMITTED);
      series.time(WorkloadMetricDefinitions.ADMITTED_READY, admitted, now);
    }
  }

  private void finished(JsonNode condition, JsonNode before, JsonNode after) {
    WorkloadSeries series = series(before, after);
    if (condition.path("reason").asText().equals(Reasons.WORKLOAD_SLICE_REPLACED)) {
      recorder.count(WorkloadMetricDefinitions.REPLACED, series.clusterQueue());
    }
    series.count(WorkloadMetricDefinitions.FINISHED);
    Optional<Instant> admitted = ConditionTimes.since(after, ConditionTypes.ADMITTED);
    series.time(WorkloadMetricDefinitions.EXECUTION, admitted, ConditionTimes.since(condition));
  }

  private void evicted(JsonNode condition, JsonNode before, JsonNode after) {
    WorkloadSeries series = series(before, after);
    EvictionReason reason = EvictionReason.of(condition.path("reason").asText(), before, after);
    if (evictions(after) == 1) {
      series.count(WorkloadMetricDefinitions.EVICTED_ONCE, reason.plain(), reason.cause());
    }
    series.count(WorkloadMetricDefinitions.EVICTED, reason.plain(), reason.cause());
    Optional<Instant> ready =
        Conditions.find(before, ConditionTypes.PODS_READY)
            .filter(Conditions::isTrue)
            .filter(
                _ -> !Conditions.isTrue(before, ConditionTypes.EVICTED)) // else it was timed then
            .flatMap(ConditionTimes::since);
    Optional<Instant> until = ConditionTimes.since(condition);
    if (ready.isPresent() && until.isPresent()) {
      recorder.time(
          WorkloadMetricDefinitions.READY_EVICTED,
          Duration.between(ready.get(), until.get()),
          series.clusterQueue(),
          reason.plain(),
          reason.cause());
    }
    if (reason.plain().equals(ConditionTypes.PREEMPTED)) {
      Conditions.find(after, ConditionTypes.PREEMPTED)
          .filter(Conditions::isTrue)
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
    Optional<Instant> from = ConditionTimes.since(evicted);
    Optional<Instant> to = ConditionTimes.since(after, ConditionTypes.QUOTA_RESERVED);
    if (from.isPresent() && to.isPresent()) {
      recorder.time(
          WorkloadMetricDefinitions.EVICTION_LATENCY,
          Duration.between(from.get(), to.get()),
          series(before, after).clusterQueue(),
          EvictionReason.of(evicted.path("reason").asText()).plain());
    }
  }
}
