package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.ConversionWarning;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is measured of every converted object. Thread-safe; a known object costs one map look-up.
 */
public final class ConversionMeters {
  private final MeterRegistry registry;
  private final Map<Way, Meters> ways = new ConcurrentHashMap<>();
  private final Map<Suspect, Counter> suspects = new ConcurrentHashMap<>();

  private record Way(@Nullable String kind, @Nullable String from, String to, boolean success) {}

  private record Meters(Timer time, DistributionSummary bytes) {}

  private record Suspect(String kind, ConversionWarning.Reason reason) {}

  /** Measures into this registry. */
  public ConversionMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  void converted(Outcome outcome, String to, int bytes, long nanos) {
    Way way =
        switch (outcome) {
          case Outcome.Converted converted -> new Way(converted.kind(), converted.from(), to, true);
          case Outcome.Refused refused -> new Way(refused.kind(), refused.from(), to, false);
        };
    Meters meters = ways.computeIfAbsent(way, this::register);
    meters.time().record(nanos, TimeUnit.NANOSECONDS);
    meters.bytes().record(bytes);
  }

  void suspect(String kind, ConversionWarning.Reason reason) {
    suspects.computeIfAbsent(new Suspect(kind, reason), this::register).increment();
  }

  private Meters register(Way way) {
    String[] tags = {
      "kind", label(way.kind()),
      "from", label(way.from()),
      "to", way.to(),
      "result", way.success() ? "success" : "failure"
    };
    Timer time =
        Timer.builder("sluice.conversion.objects")
            .description("Objects converted, and the time each took")
            .tags(tags)
            .serviceLevelObjectives(
                Duration.ofNanos(20_000),
                Duration.ofNanos(100_000),
                Duration.ofNanos(500_000),
                Duration.ofMillis(2),
                Duration.ofMillis(10),
                Duration.ofMillis(100))
            .register(registry);
    DistributionSummary bytes =
        DistributionSummary.builder("sluice.conversion.object.bytes")
            .description("Sizes of the received objects")
            .baseUnit("bytes")
            .tags(tags)
            .register(registry);
    return new Meters(time, bytes);
  }

  private Counter register(Suspect suspect) {
    return Counter.builder("sluice.conversion.suspect.objects")
        .description("Objects converted with a warning")
        .tags("kind", suspect.kind(), "reason", suspect.reason().label())
        .register(registry);
  }

  private static String label(@Nullable String value) {
    return value == null ? "unknown" : value;
  }
}
