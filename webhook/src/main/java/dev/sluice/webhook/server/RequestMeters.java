package dev.sluice.webhook.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the server measures of every request, whatever its path. Thread-safe. */
final class RequestMeters {
  /** The label of all paths that are not served, since a caller may make up any number of them. */
  static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

  private record Key(String path, int status) {}

  RequestMeters(MeterRegistry registry, InFlight inFlight) {
    this.registry = registry;
    registry.gauge("sluice.requests.in.flight", inFlight, InFlight::requests);
    registry.gauge("sluice.requests.bytes.in.flight", inFlight, InFlight::bytes);
    registry.gauge("sluice.connections", inFlight, InFlight::connections);
  }

  void answered(String path, int status, long nanos) {
    timers.computeIfAbsent(new Key(path, status), this::timer).record(Duration.ofNanos(nanos));
  }

  private Timer timer(Key key) {
    return Timer.builder("sluice.requests")
        .description("Requests by path and HTTP status, from the first byte to the answer")
        .tag("path", key.path())
        .tag("code", Integer.toString(key.status()))
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
