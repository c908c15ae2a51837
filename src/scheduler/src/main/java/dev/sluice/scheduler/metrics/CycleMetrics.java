package dev.sluice.scheduler.metrics;

import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Counts cycles, and how long they take. Thread-safe. */
public final class CycleMetrics {
  private final MeterRegistry registry;
  private final Supplier<String> role;

  /** Of each role and result: to look them up in the registry would cost more than to count. */
  private final Map<List<String>, Meters> meters = new ConcurrentHashMap<>();

  private record Meters(Counter attempts, Timer duration) {}

  /**
   * Counts into a registry.
   *
   * @param role whether we lead, follow or are alone
   */
  public CycleMetrics(MeterRegistry registry, Supplier<String> role) {
    this.registry = registry;
    this.role = role;
  }

  /** A cycle took that long. */
  public void cycled(CycleResult result, long nanos) {
    boolean admits =
        result.outcomes().stream().anyMatch(o -> o.decision() instanceof Decision.Reserved);
    String word = admits ? "success" : "inadmissible";
    Meters of = meters.computeIfAbsent(List.of(role.get(), word), this::meters);
    of.attempts().increment();
    of.duration().record(Duration.ofNanos(nanos));
  }

  private Meters meters(List<String> of) {
    Tags tags = Tags.of("replica_role", of.getFirst(), "result", of.getLast());
    return new Meters(
        registry.counter("kueue.admission.attempts", tags),
        Timer.builder("kueue.admission.attempt.duration")
            .tags(tags)
            .serviceLevelObjectives(Buckets.SHORT)
            .register(registry));
  }
}
