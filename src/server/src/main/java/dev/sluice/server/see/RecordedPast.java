package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.quota.Change;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.forecast.Score;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.server.history.HistoryPages;
import dev.sluice.server.history.HistoryRecorder;
import dev.sluice.server.program.CommandException;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The history of a cluster, forecasts that are made from it, and who writes these to Workloads.
 * Thread-safe.
 */
final class RecordedPast implements Past, AutoCloseable {
  private final TransitionLog log;
  private final Learned learned = new Learned();
  private final HistoryRecorder recorder;
  private final Forecasts forecasts;
  private final @Nullable ForecastAnnotator annotator;

  /** Kept by a recorder, which hands over each of its lines. */
  private void take(HistoryLine line) {
    log.add(line);
    learned.take(line);
    ForecastAnnotator told = annotator;
    if (told != null) {
      told.note(line);
    }
  }

  private RecordedPast(
      HistoryPlace place,
      EngineConfiguration configuration,
      QueueWatch queues,
      TransitionLog log,
      Connection connection,
      Supervisor supervisor,
      InstantSource clock)
      throws IOException {
    this.log = log;
    String namespace = place.annotator();
    this.annotator =
        namespace == null
            ? null
            : new ForecastAnnotator(connection, namespace, source(queues), supervisor);
    this.recorder =
        HistoryRecorder.open(
            place.folder(),
            place.bound(),
            configuration,
            queues.known(),
            this::take,
            clock,
            supervisor);
    this.forecasts =
        new Forecasts(queues, learned, recorder.tracker(), clock, Forecasts.LEAST_REST, supervisor);
  }

  private ForecastWrites.Source source(QueueWatch queues) {
    return new ForecastWrites.Source() {
      @Override
      public long version() {
        return forecasts.version();
      }

      @Override
      public Map<ObjectKey, Forecast> forecasts() {
        return learned.book().present();
      }

      @Override
      public Optional<JsonNode> workload(ObjectKey key) {
        return queues.find(ApiKind.WORKLOAD.groupKind(), key);
      }
    };
  }

  /**
   * Opens the history in that place, and reads what is there.
   *
   * @param queues tell of each change from then on
   * @param log receives all lines, first those that are there
   * @param connection by which forecasts are written to Workloads, if they are
   * @throws CommandException if the folder cannot be used
   */
  static RecordedPast open(
      HistoryPlace place,
      EngineConfiguration configuration,
      QueueWatch queues,
      TransitionLog log,
      Connection connection,
      Supervisor supervisor,
      InstantSource clock) {
    try {
      return new RecordedPast(place, configuration, queues, log, connection, supervisor, clock);
    } catch (IOException e) {
      throw new CommandException("--history " + place.folder() + ": " + e.getMessage(), e);
    }
  }

  /** Starts all threads; to be called once. */
  void start() {
    recorder.start();
    forecasts.start();
    if (annotator != null) {
      annotator.start();
    }
  }

  /** Takes note of a change that a watch saw; never waits. */
  void note(Change change) {
    recorder.note(change);
  }

  /** Grows with each forecast. */
  long version() {
    return forecasts.version();
  }

  @Override
  public Optional<HistoryPages> pages() {
    return Optional.of(recorder.pages());
  }

  @Override
  public Optional<Forecast> forecast(ObjectKey workload) {
    return Optional.ofNullable(learned.book().find(workload));
  }

  @Override
  public Map<String, Score> scores() {
    return learned.book().scores();
  }

  @Override
  public KnownRuns runs(Instant now) {
    return learned.runs(recorder.tracker(), now);
  }

  /** Measures the history, what forecasts cost and how good they were, and what is written. */
  void bindTo(MeterRegistry registry) {
    recorder.bindTo(registry);
    forecasts.bindTo(registry);
    if (annotator != null) {
      annotator.bindTo(registry);
    }
  }

  @Override
  public void close() {
    if (annotator != null) {
      annotator.close();
    }
    forecasts.close();
    recorder.close();
  }
}
