package dev.sluice.webhook.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What the server measures of every request, whatever its path. Thread-safe. */
final class RequestMeters {
  /** The label of all paths that are not served, since a caller may make up any number of them. */
  static final String OTHER = "other";

  private final MeterRegistry registry;

  RequestMeters(MeterRegistry registry, InFlight inFlight) {
    this.registry = registry;
    registry.gauge("sluice.requests.in.flight", inFlight, InFlight::requests);
    registry.gauge("sluice.requests.bytes.in.flight", inFlight, InFlight::bytes);
  }

  /** What is measured of a path; a status shows up with its first answer. */
  OfPath of(String path) {
    return new OfPath(path);
  }

  /** The timers of one path, by status. Thread-safe. */
  final class OfPath {
    private final String path;
    private final Map<Integer, Timer> timers = new ConcurrentHashMap<>();

    private OfPath(String path) {
      this.path = path;
    }

    void answered(int status, long nanos) {
      timers.computeIfAbsent(status, this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(int status) {
      return Timer.builder("sluice.requests")
          .description("Requests by path and HTTP status, from the first byte to the answer")
          .tag("path", path)
          .tag("code", Integer.toString(status))
          .serviceLevelObjectives(
              Duration.ofMillis(1),
              Duration.ofMillis(5),
              Duration.ofMillis(25),
              Duration.ofMillis(100),
              Duration.ofMillis(500),
              Duration.ofSeconds(2),
              Duration.ofSeconds(10))
          .register(registry);
    }
  }
}
