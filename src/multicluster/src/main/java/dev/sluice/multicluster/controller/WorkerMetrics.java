package dev.sluice.multicluster.controller;

import dev.sluice.multicluster.controller.WorkerCalls.Outcome;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.link.Workers.Worker;
import dev.sluice.multicluster.protocol.Link;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.view.CopyState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** The metrics of each worker cluster. Thread-safe. */
final class WorkerMetrics {
  private static final String CLUSTER = "cluster";

  /** From 50 ms to 25 s, each about twice the previous one. */
  private static final Duration[] LAGS =
      List.of(50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000).stream()
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Workers workers;

  /** The gauges of each worker, which are removed with it. */
  private final Map<String, List<Meter.Id>> gauges = new ConcurrentHashMap<>();

  private final Map<String, Integer> unproven = new ConcurrentHashMap<>();

  WorkerMetrics(MeterRegistry registry, Workers workers) {
    this.registry = registry;
    this.workers = workers;
  }

  /**
   * Measures that worker from now on, or no longer if there is none of the name. A worker that goes
   * and returns at once may be told by two threads, so one call waits for another.
   *
   * @param leftOut how many Workloads are not offered to a worker for that cause
   */
  synchronized void measure(
      String cluster, WorkerRequestQueues requestQueues, LeftOutCounts leftOut) {
    if (workers.find(cluster).isEmpty()) {
      List<Meter.Id> gone = gauges.remove(cluster);
      if (gone != null) {
        gone.forEach(registry::remove);
      }
      unproven.remove(cluster);
      return;
    }
    if (gauges.putIfAbsent(cluster, new CopyOnWriteArrayList<>()) != null) {
      return;
    }
    gauge(
        cluster,
        Gauge.builder("sluice.worker.connected", cluster, this::connected)
            .description("Whether a worker cluster is connected"));
    gauge(
        cluster,
        Gauge.builder("multikueue.cluster.status", cluster, this::connected)
            .description("Whether a MultiKueueCluster is active"));
    gauge(
        cluster,
        Gauge.builder(
                "sluice.worker.queue",
                cluster,
                (ToDoubleFunction<String>)
                    it -> requestQueues.find(it).map(WorkerRequestQueue::size).orElse(0))
            .description("Objects of a worker cluster that wait for a request"));
    gauge(
        cluster,
        Gauge.builder(
                "sluice.worker.breaker",
                cluster,
                (ToDoubleFunction<String>)
                    it ->
                        requestQueues
                            .find(it)
                            .filter(WorkerRequestQueue::isBroken)
                            .map(_ -> 1)
                            .orElse(0))
            .description(
                "Whether a worker cluster failed so often that it is only tried now and then"));
    gauge(
        cluster,
        Gauge.builder(
                "sluice.worker.unproven",
                cluster,
                (ToDoubleFunction<String>) it -> unproven.getOrDefault(it, 0))
            .description(
                "Objects with our origin on a worker cluster that are not proved to be ours"));
    for (CopyState state : CopyState.values()) {
      gauge(
          cluster,
          Gauge.builder("sluice.worker.copies", cluster, it -> copies(it, state))
              .tag("state", state.label())
              .description("Workloads with our origin on a worker cluster"));
    }
    for (Memory.Cause cause : Memory.Cause.values()) {
      gauge(
          cluster,
          Gauge.builder("sluice.worker.left.out", cluster, it -> leftOut.count(it, cause))
              .tag("reason", cause.name().toLowerCase(Locale.ROOT))
              .description("Workloads that are not offered to a worker cluster for a while"));
    }
  }

  private void gauge(String cluster, Gauge.Builder<String> builder) {
    Gauge gauge = builder.strongReference(true).tag(CLUSTER, cluster).register(registry);
    gauges.computeIfPresent(
        cluster,
        (_, ids) -> {
          ids.add(gauge.getId());
          return ids;
        });
  }

  private double connected(String cluster) {
    return workers.find(cluster).filter(it -> it.link() instanceof Link.Connected).isPresent()
        ? 1
        : 0;
  }

  private double copies(String cluster, CopyState state) {
    return workers.find(cluster).flatMap(Worker::known).map(it -> it.copies(state)).orElse(0);
  }

  /** A request was sent to a worker. */
  void requested(String cluster, Outcome outcome) {
    String result =
        switch (outcome) {
          case Outcome.Done _ -> "done";
          case Outcome.Outdated _ -> "conflict";
          case Outcome.Refused _ -> "refused";
          case Outcome.Unanswered _ -> "unanswered";
          case Outcome.NotLeading _ -> "not_leading";
        };
    count("sluice.worker.requests", "Requests to a worker cluster", cluster, "result", result);
  }

  /** An object was deleted there. */
  void swept(String cluster, String why) {
    count("sluice.worker.swept", "Objects deleted on a worker cluster", cluster, "why", why);
  }

  /** More than half of what is there was to be deleted at once. */
  void mass(String cluster) {
    Counter.builder("sluice.worker.mass.deletions")
        .description("How often most of what is on a worker cluster was to be deleted at once")
        .tag(CLUSTER, cluster)
        .register(registry)
        .increment();
  }

  private void count(String name, String what, String cluster, String label, String value) {
    Counter.builder(name)
        .description(what)
        .tag(CLUSTER, cluster)
        .tag(label, value)
        .register(registry)
        .increment();
  }

  /** The number of objects there that have our origin and are not proved to be ours. */
  void unproven(String cluster, int count) {
    unproven.put(cluster, count);
  }

  /** A change on a worker was written here after that time. */
  void lag(String cluster, Duration time) {
    Timer.builder("sluice.worker.lag")
        .description("From a change on a worker cluster to what was written of it here")
        .serviceLevelObjectives(LAGS)
        .tag(CLUSTER, cluster)
        .register(registry)
        .record(time);
  }
}
