package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
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
      case "Evicted" -> series.evicted(condition.path("reason").asText());
      case "Finished" -> {
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
      return node.isTextual() ? Optional.of(Instant.parse(node.asText())) : Optional.empty();
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

    void evicted(String reason) {
      int cause = reason.indexOf("DueTo");
      String plain = cause < 0 ? reason : reason.substring(0, cause);
      String underlying = cause < 0 ? "" : reason.substring(cause + "DueTo".length());
      Tags why = Tags.of("reason", plain, "underlying_cause", underlying);
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
