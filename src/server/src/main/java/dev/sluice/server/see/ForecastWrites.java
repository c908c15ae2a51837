package dev.sluice.server.see;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.ForecastAnnotation;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes forecasts to the Workloads that wait, as an annotation: one write for each change of what
 * is said, the soonest start first. Admissions go first: nothing is written within two seconds of
 * one, or of an eviction. A Workload that got quota is not written to, so it keeps what was said
 * last. For one thread, but for {@link #busy} and what is measured.
 */
final class ForecastWrites {
  /** The most in one turn. */
  static final int MOST = 10;

  static final Duration CALM_AFTER = Duration.ofSeconds(2);

  /** The rest after a write that was refused or not answered. */
  static final Duration REST = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(ForecastWrites.class);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final String MANAGER = "sluice-forecasts";

  /** What there is to write, and to what. Safe for many threads. */
  interface Source {
    /** Grows with each forecast. */
    long version();

    /** The present forecasts. */
    Map<ObjectKey, Forecast> forecasts();

    /** The Workload as a watch showed it last. */
    Optional<JsonNode> workload(ObjectKey key);
  }

  private enum Outcome {
    WRITTEN,
    CONFLICT,
    REFUSED,
    UNANSWERED
  }

  private final Source source;
  private final Function<Write, WriteResult> sender;
  private final LongSupplier nanoTime;
  private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);
  private final Deque<ObjectKey> due = new ArrayDeque<>();
  private long version;
  private long restsUntil;
  private long warned;
  private volatile long busyAt;
  private volatile int waiting;

  /**
   * Nothing was written yet.
   *
   * @param sender sends one write, once
   * @param nanoTime a clock of nanoseconds
   */
  ForecastWrites(Source source, Function<Write, WriteResult> sender, LongSupplier nanoTime) {
    this.source = source;
    this.sender = sender;
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    this.busyAt = now - CALM_AFTER.toNanos();
    this.restsUntil = now;
    this.warned = now - BETWEEN_WARNINGS.toNanos();
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, new LongAdder());
    }
  }

  /** A Workload got quota, was admitted, or was evicted; any thread. */
  void busy() {
    busyAt = nanoTime.getAsLong();
  }

  /** Whether anything may be written now. */
  private boolean isCalm() {
    long now = nanoTime.getAsLong();
    return now - busyAt >= CALM_AFTER.toNanos() && now - restsUntil >= 0;
  }

  /** Writes what is due, {@value #MOST} at most; to be called once a second. */
  void turn() {
    if (due.isEmpty() && version != source.version()) {
      version = source.version();
      source.forecasts().values().stream()
          .filter(it -> next(it) != null)
          .sorted(Comparator.comparingDouble(it -> it.band().middle()))
          .forEach(it -> due.add(it.workload()));
    }
    for (int i = 0; i < MOST && !due.isEmpty() && isCalm(); i++) {
      Forecast present = source.forecasts().get(due.remove());
      Write write = present == null ? null : next(present);
      if (write != null) {
        send(write);
      }
    }
    waiting = due.size();
  }

  /** What has to be written for that forecast, or null. */
  private @Nullable Write next(Forecast forecast) {
    JsonNode object = source.workload(forecast.workload()).orElse(null);
    if (object == null || !isWaiting(object, forecast.uid())) {
      return null;
    }
    JsonNode metadata = object.path("metadata");
    String written = metadata.path("annotations").path(Annotations.FORECAST).asText();
    return ForecastAnnotation.next(forecast, written)
        .map(
            text -> {
              ObjectNode patch = JsonNodeFactory.instance.objectNode();
              patch.putObject("metadata").putObject("annotations").put(Annotations.FORECAST, text);
              return new Write.MergePatch(
                  new ObjectRef(
                      ApiKind.WORKLOAD.hub(),
                      forecast.workload().namespace(),
                      forecast.workload().name(),
                      forecast.uid()),
                  "",
                  patch,
                  MANAGER,
                  metadata.path("resourceVersion").asText());
            })
        .orElse(null);
  }

  private static boolean isWaiting(JsonNode object, String uid) {
    JsonNode metadata = object.path("metadata");
    return metadata.path("uid").asText().equals(uid)
        && !metadata.has("deletionTimestamp")
        && !object.path("status").has("admission")
        && object
            .path("status")
            .path("conditions")
            .valueStream()
            .noneMatch(
                it ->
                    it.path("type").asText().equals(ConditionTypes.FINISHED)
                        && it.path("status").asText().equals("True"));
  }

  private void send(Write write) {
    switch (sender.apply(write)) {
      case WriteResult.Done _ -> count(Outcome.WRITTEN);
      // the next forecast sees it as it is then
      case WriteResult.Conflict _, WriteResult.Missing _ -> count(Outcome.CONFLICT);
      case WriteResult.Refused(int status, String message) -> {
        count(Outcome.REFUSED);
        giveUp(write, status + " " + message, REST);
      }
      case WriteResult.Unanswered(String message, Optional<Duration> retryAfter, _) -> {
        count(Outcome.UNANSWERED);
        giveUp(write, message, retryAfter.filter(it -> it.compareTo(REST) > 0).orElse(REST));
      }
      case WriteResult.NotLeading _ -> due.clear();
    }
  }

  private void count(Outcome outcome) {
    requireNonNull(counts.get(outcome)).increment();
  }

  /** The rest of a turn would meet the same; the next forecast plans it again. */
  private void giveUp(Write write, String why, Duration rest) {
    due.clear();
    long now = nanoTime.getAsLong();
    restsUntil = now + rest.toNanos();
    if (now - warned >= BETWEEN_WARNINGS.toNanos()) {
      warned = now;
      LOG.warn(
          "the forecast of the Workload {}/{} was not written, and is tried again: {}",
          write.target().namespace(),
          write.target().name(),
          why);
    }
  }

  /** Measures what was written, and what waits. */
  void bindTo(MeterRegistry registry) {
    counts.forEach(
        (outcome, count) ->
            FunctionCounter.builder("sluice.forecast.annotations", count, LongAdder::sum)
                .description("Writes of forecasts to Workloads.")
                .tag("result", outcome.name().toLowerCase(Locale.ROOT))
                .register(registry));
    Gauge.builder("sluice_forecast_annotations_waiting", () -> waiting)
        .description("Forecasts to be written once no Workload is being admitted or evicted.")
        .register(registry);
  }
}
