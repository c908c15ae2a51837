package dev.sluice.scheduler;

import dev.sluice.quota.decision.CycleResult;
import dev.sluice.scheduler.engine.Decided;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Counts what is decided. Thread-safe. */
final class SchedulerMetrics {
  private final MeterRegistry registry;

  SchedulerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void decided(List<Decided> decisions) {
    for (Decided decided : decisions) {
      registry
          .counter("sluice.decisions", "kind", decided.kind().name().toLowerCase(Locale.ROOT))
          .increment();
    }
  }

  void cycled(CycleResult result, long nanos) {
    registry
        .timer("sluice.cycle.seconds", "changed", String.valueOf(result.changed()))
        .record(Duration.ofNanos(nanos));
  }
}
