package dev.sluice.scheduler.metrics;

import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/** Counts cycles, and how long they take. Thread-safe. */
public final class CycleMetrics {
  private final MeterRegistry registry;
  private final Supplier<String> role;

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
    registry
        .counter("kueue.admission.attempts", "replica_role", role.get(), "result", word)
        .increment();
    Timer.builder("kueue.admission.attempt.duration")
        .tag("replica_role", role.get())
        .tag("result", word)
        .serviceLevelObjectives(Buckets.SHORT)
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }
}
