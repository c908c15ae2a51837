package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The metrics with Kueue's names. Counters count events; gauges are computed on each scrape from
 * the engine's current state and cost nothing otherwise. Deleted queues and Cohorts have no series.
 * Thread-safe.
 */
public final class SchedulerMetrics implements MultiCollector {
  private static final MetricDefinition CREATION =
      MetricDefinition.times(
          "kueue_workload_creation_latency_seconds",
          "From the creation of a job to that of its Workload",
          MetricDefinition.FINE,
          "job_kind");

  private final MetricSettings settings;
  private final Supplier<Snapshot> snapshot;
  private final Supplier<String> role;
  private final Recorder recorder;
  private final CustomLabels custom;
  private final CycleMetrics cycles;
  private final WorkloadMetrics workloads;
  private final GateMetrics gates;
  private final ClusterQueueMetrics clusterQueues;
  private final LocalQueueMetrics localQueues;
  private final QuotaMetrics quotas;
  private final InstantSource clock;

  /**
   * Nothing happened yet.
   *
   * @param role whether we lead, follow or are alone
   */
  public SchedulerMetrics(
      MetricSettings settings,
      Supplier<Snapshot> snapshot,
      ObjectLookup objects,
      Supplier<String> role,
      InstantSource clock) {
    this.settings = settings;
    this.snapshot = snapshot;
    this.role = role;
    this.clock = clock;
    this.recorder = new Recorder(role);
    this.custom =
        new CustomLabels(
            settings.customLabels(),
            (kind, key) -> objects.find(kind.groupKind(), key.namespace(), key.name()));
    this.cycles = new CycleMetrics(settings, recorder);
    this.gates = new GateMetrics(recorder, objects, clock);
    this.clusterQueues = new ClusterQueueMetrics(settings);
    this.localQueues = new LocalQueueMetrics(settings);
    this.workloads =
        new WorkloadMetrics(settings, recorder, localQueues, custom.workloads(), snapshot);
    this.quotas = new QuotaMetrics(settings);
  }

  /** A cycle took that long. */
  public void cycled(CycleResult result, long nanos) {
    cycles.cycled(result, nanos);
  }

  /** A Workload has changed. */
  public void workload(ObjectChange change) {
    workloads.seen(change);
  }

  /** A pod has changed. */
  public void pod(ObjectChange change) {
    gates.seen(change);
  }

  /** The Workload of that job was just made; a job that was changed since it was made waited. */
  public void made(String jobKind, JsonNode job) {
    if (settings.creationLatency() && job.at("/metadata/generation").asLong() <= 1) {
      ConditionTimes.created(job)
          .ifPresent(
              from -> recorder.time(CREATION, Duration.between(from, clock.instant()), jobKind));
    }
  }

  /** The object is gone, and its series with it. */
  public void gone(GroupKind kind, ObjectKey key) {
    recorder.forget(
        (definition, values) ->
            Existing.subjects(definition, values).stream()
                .anyMatch(it -> it.kind().groupKind().equals(kind) && it.key().equals(key)));
  }

  @Override
  public MetricSnapshots collect() {
    Snapshot now = snapshot.get();
    QueueStats stats = QueueStats.of(now, custom.workloads());
    Rows rows = new Rows(role.get(), custom);
    BuildInfo.measure(rows);
    Instant at = clock.instant();
    clusterQueues.measure(rows, now, stats, at);
    localQueues.measure(rows, now, stats, at);
    quotas.measure(rows, now, stats);
    cycles.measure(rows, now);
    Existing existing = Existing.in(now, localQueues);
    recorder.forget(existing::lacks);
    List<MetricSnapshot> all = new ArrayList<>();
    rows.tell(all::add);
    recorder.tell(custom, all::add);
    return new MetricSnapshots(all);
  }
}
