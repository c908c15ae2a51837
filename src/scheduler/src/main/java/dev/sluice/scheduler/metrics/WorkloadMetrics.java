package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.Timestamps;
import dev.sluice.cluster.view.ObjectChange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts what happens to Workloads by what is seen of them, so that each replica counts the same,
 * whoever did it. What happened while nobody looked is not counted. Thread-safe.
 */
public final class WorkloadMetrics {
  private final MeterRegistry registry;
  private final Supplier<String> role;

  /**
   * Counts into a registry.
   *
   * @param role whether we lead, follow or are alone
   */
  public WorkloadMetrics(MeterRegistry registry, Supplier<String> role) {
    this.registry = registry;
    this.role = role;
  }

  /** A Workload has changed. */
  public void seen(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    for (JsonNode condition : after.path("status").path("conditions")) {
      String type = condition.path("type").asText();
      if (isTrue(condition) && condition(before, type).filter(WorkloadMetrics::isTrue).isEmpty()) {
        became(type, condition, before, after);
      }
    }
    if (isTrue(before, "QuotaReserved") && !isTrue(after, "QuotaReserved")) {
      condition(after, "Evicted")
          .filter(WorkloadMetrics::isTrue)
          .ifPresent(evicted -> new Series(before, after).gaveBack(evicted));
    }
  }

  private static boolean isTrue(JsonNode workload, String type) {
    return condition(workload, type).filter(WorkloadMetrics::isTrue).isPresent();
  }

  private static boolean isTrue(JsonNode condition) {
    return condition.path("status").asText().equals("True");
  }

  private static Optional<JsonNode> condition(JsonNode workload, String type) {
    for (JsonNode condition : workload.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  private void became(String type, JsonNode condition, JsonNode before, JsonNode after) {
    Series series = new Series(before, after);
    Optional<Instant> now = since(condition);
    switch (type) {
      case "QuotaReserved" -> {
        series.count("quota.reserved.workloads");
        series.time("quota.reserved.wait.time", series.queued(), now, Buckets.WAIT);
      }
      case "Admitted" -> {
        series.count("admitted.workloads");
        series.time("admission.wait.time", series.queued(), now, Buckets.LONG);
        series.time("admission.checks.wait.time", since(after, "QuotaReserved"), now, Buckets.WAIT);
      }
      case "PodsReady" -> {
        series.time("ready.wait.time", series.queued(), now, Buckets.WAIT);
        series.time("admitted.until.ready.wait.time", since(after, "Admitted"), now, Buckets.WAIT);
      }
      case "Evicted" -> {
        series.evicted(condition.path("reason").asText());
        series.wasReady(before, condition);
      }
      case "Finished" -> {
        series.replaced(condition);
        series.count("finished.workloads");
        series.time("execution.time", since(after, "Admitted"), now, Buckets.LONG);
      }
      default -> {} // no metric of its own
    }
  }

  private static Optional<Instant> since(JsonNode workload, String type) {
    return condition(workload, type).flatMap(WorkloadMetrics::since);
  }

  private static Optional<Instant> since(JsonNode condition) {
    return instant(condition.path("lastTransitionTime"));
  }

  private static Optional<Instant> instant(JsonNode node) {
    try {
      return node.isTextual() ? Optional.of(Timestamps.parse(node.asText())) : Optional.empty();
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** The series of one Workload: of its ClusterQueue, and of its LocalQueue. */
  private final class Series {
    private final JsonNode workload;
    private final Tags clusterQueue;
    private final Tags localQueue;

    Series(JsonNode before, JsonNode after) {
      this.workload = after;
      String queue = queue(after).or(() -> queue(before)).orElse("");
      this.clusterQueue = Tags.of("replica_role", role.get(), "cluster_queue", queue);
      this.localQueue =
          Tags.of(
              "replica_role",
              role.get(),
              "name",
              after.path("spec").path("queueName").asText(),
              "namespace",
              after.path("metadata").path("namespace").asText());
    }

    private Tags priority(Tags tags) {
      return tags.and(
          "priority_class", workload.path("spec").path("priorityClassRef").path("name").asText());
    }

    Optional<Instant> queued() {
      return since(workload, "Requeued")
          .or(() -> instant(workload.path("metadata").path("creationTimestamp")));
    }

    void count(String name) {
      registry.counter("kueue." + name, priority(clusterQueue)).increment();
      registry.counter("kueue.local.queue." + name, priority(localQueue)).increment();
    }

    void time(String name, Optional<Instant> from, Optional<Instant> to, Duration[] buckets) {
      if (from.isPresent() && to.isPresent()) {
        Duration time = Duration.between(from.get(), to.get());
        Duration counted = time.isNegative() ? Duration.ZERO : time;
        record("kueue." + name, priority(clusterQueue), counted, buckets);
        record("kueue.local.queue." + name, priority(localQueue), counted, buckets);
      }
    }

    private void record(String name, Tags tags, Duration time, Duration[] buckets) {
      Timer.builder(name)
          .tags(tags)
          .serviceLevelObjectives(buckets)
          .register(registry)
          .record(time);
    }

    /** How long it had been ready when it had to give way. */
    void wasReady(JsonNode before, JsonNode evicted) {
      Optional<JsonNode> ready = condition(before, "PodsReady").filter(WorkloadMetrics::isTrue);
      Optional<Instant> until = since(evicted);
      if (ready.flatMap(WorkloadMetrics::since).isPresent() && until.isPresent()) {
        Tags why = why(evicted.path("reason").asText());
        Duration time = Duration.between(since(ready.get()).orElseThrow(), until.get());
        record("kueue.pods.ready.to.evicted.time", clusterQueue.and(why), time, Buckets.WAIT);
      }
    }

    /** Its owner has stopped it, and its quota is free. */
    void gaveBack(JsonNode evicted) {
      Optional<Instant> from = since(evicted);
      Optional<Instant> to = since(workload, "QuotaReserved");
      if (from.isPresent() && to.isPresent()) {
        String plain = plain(evicted.path("reason").asText());
        Tags tags = clusterQueue.and("reason", plain);
        Duration time = Duration.between(from.get(), to.get());
        record(
            "kueue.workload.eviction.latency",
            tags,
            time.isNegative() ? Duration.ZERO : time,
            Buckets.WAIT);
      }
    }

    void replaced(JsonNode finished) {
      if (finished.path("reason").asText().equals("WorkloadSliceReplaced")) {
        registry.counter("kueue.replaced.workload.slices", clusterQueue).increment();
      }
    }

    private static String plain(String reason) {
      int cause = reason.indexOf("DueTo");
      return cause < 0 ? reason : reason.substring(0, cause);
    }

    private static Tags why(String reason) {
      String plain = plain(reason);
      String underlying =
          plain.equals(reason) ? "" : reason.substring(plain.length() + "DueTo".length());
      return Tags.of("reason", plain, "underlying_cause", underlying);
    }

    private boolean isFirstEviction() {
      long all = 0;
      for (JsonNode count : workload.path("status").path("schedulingStats").path("evictions")) {
        all += count.path("count").asLong();
      }
      return all == 1;
    }

    void evicted(String reason) {
      String plain = plain(reason);
      Tags why = why(reason);
      if (isFirstEviction()) {
        registry
            .counter("kueue.evicted.workloads.once", priority(clusterQueue).and(why))
            .increment();
      }
      registry.counter("kueue.evicted.workloads", priority(clusterQueue).and(why)).increment();
      registry
          .counter("kueue.local.queue.evicted.workloads", priority(localQueue).and(why))
          .increment();
      condition(workload, "Preempted")
          .filter(WorkloadMetrics::isTrue)
          .filter(_ -> plain.equals("Preempted"))
          .ifPresent(
              preempted ->
                  registry
                      .counter(
                          "kueue.preempted.workloads",
                          Tags.of(
                              "replica_role",
                              role.get(),
                              "reason",
                              preempted.path("reason").asText()))
                      .increment());
    }

    private Optional<String> queue(JsonNode object) {
      JsonNode name = object.path("status").path("admission").path("clusterQueue");
      return name.isTextual() ? Optional.of(name.asText()) : Optional.empty();
    }
  }
}
