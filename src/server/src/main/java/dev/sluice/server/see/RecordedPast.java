package dev.sluice.server.see;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.forecast.Arrivals;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.ForecastBook;
import dev.sluice.see.forecast.Forecaster;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.forecast.Score;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.see.runtimes.RunTimes;
import dev.sluice.server.history.HistoryPages;
import dev.sluice.server.history.HistoryRecorder;
import dev.sluice.server.program.CommandException;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The history of a cluster, and forecasts that a thread of its own makes from it. The thread takes
 * at most a tenth of one core: after a forecast it rests for nine times the time that it took.
 * Thread-safe.
 */
final class RecordedPast implements Past, AutoCloseable {
  private static final Duration CPU = Duration.ofSeconds(2);
  private static final Duration LEAST_REST = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int REST = 9;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final QueueWatch queues;
  private final TransitionLog log;
  private final InstantSource clock;
  private final RunTimes runTimes = new RunTimes();
  private final Arrivals arrivals = new Arrivals();
  private final ForecastBook book = new ForecastBook();
  private final HistoryRecorder recorder;
  private final SupervisedThread thread;
  private final AtomicLong version = new AtomicLong();
  private volatile double lastSeconds;
  private volatile @Nullable ScoreGauges scores;

  // of the thread alone
  private @Nullable QueueState last;
  private long rest = LEAST_REST.toNanos();

  /** Kept by a recorder, which hands over each of its lines. */
  private void take(HistoryLine line) {
    log.add(line);
    runTimes.add(line);
    arrivals.add(line);
    book.add(line);
  }

  private RecordedPast(
      Path folder,
      long bound,
      EngineConfiguration configuration,
      QueueWatch queues,
      TransitionLog log,
      Supervisor supervisor,
      InstantSource clock)
      throws IOException {
    this.queues = queues;
    this.log = log;
    this.clock = clock;
    this.recorder =
        HistoryRecorder.open(
            folder, bound, configuration, queues.known(), this::take, clock, supervisor);
    this.thread =
        supervisor.part("forecast").thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /**
   * Opens the history in that folder, and reads what is there.
   *
   * @param bound of the files together, in bytes
   * @param queues tell of each change from then on
   * @param log receives all lines, first those that are there
   * @throws CommandException if the folder cannot be used
   */
  static RecordedPast open(
      Path folder,
      long bound,
      EngineConfiguration configuration,
      QueueWatch queues,
      TransitionLog log,
      Supervisor supervisor,
      InstantSource clock) {
    try {
      return new RecordedPast(folder, bound, configuration, queues, log, supervisor, clock);
    } catch (IOException e) {
      throw new CommandException("--history " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Starts both threads; to be called once. */
  void start() {
    recorder.start();
    thread.start();
  }

  /** Takes note of a change that a watch saw; never waits. */
  void note(Change change) {
    recorder.note(change);
  }

  /** Grows with each forecast. */
  long version() {
    return version.get();
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    TimeUnit.NANOSECONDS.sleep(rest);
    heart.beat();
    Optional<QueueState> present = queues.state();
    QueueState before = last;
    if (present.isPresent() && (before == null || !before.tag().equals(present.get().tag()))) {
      long cost = forecast();
      rest = Math.max(LEAST_REST.toNanos(), REST * cost);
    }
    return true;
  }

  /** Makes all forecasts anew, and returns the nanoseconds of CPU that it took. */
  private long forecast() throws InterruptedException {
    QueueFork fork;
    try {
      fork = queues.fork().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the engine made no fork", e);
    }
    long began = THREADS.getCurrentThreadCpuTime();
    Instant now = clock.instant();
    Map<ObjectKey, Forecast> forecasts =
        Forecaster.run(
            fork.fork(),
            now,
            runTimes.model(recorder.tracker().unfinished(), now),
            recorder.tracker()::find,
            arrivals,
            Forecaster.Bounds.USUAL,
            now.getEpochSecond(),
            () -> THREADS.getCurrentThreadCpuTime() - began < CPU.toNanos());
    book.update(forecasts);
    ScoreGauges gauges = scores;
    if (gauges != null) {
      gauges.renew(book.scores());
    }
    last = fork.state();
    version.incrementAndGet();
    long cost = THREADS.getCurrentThreadCpuTime() - began;
    lastSeconds = cost / 1e9;
    return cost;
  }

  @Override
  public Optional<HistoryPages> pages() {
    return Optional.of(recorder.pages());
  }

  @Override
  public Optional<Forecast> forecast(ObjectKey workload) {
    return Optional.ofNullable(book.find(workload));
  }

  @Override
  public Map<String, Score> scores() {
    return book.scores();
  }

  @Override
  public KnownRuns runs(Instant now) {
    return new KnownRuns(
        runTimes.model(recorder.tracker().unfinished(), now), recorder.tracker()::find);
  }

  /** Measures the history and how good the forecasts were. */
  void bindTo(MeterRegistry registry) {
    recorder.bindTo(registry);
    Gauge.builder("sluice_forecast_cpu_seconds", () -> lastSeconds)
        .description("CPU time of the last forecast of all Workloads.")
        .register(registry);
    scores = new ScoreGauges(registry);
  }

  /** One gauge of each kind for each ClusterQueue. */
  private static final class ScoreGauges {
    private final MultiGauge coverage;
    private final MultiGauge error;
    private final MultiGauge pinball;

    ScoreGauges(MeterRegistry registry) {
      coverage =
          MultiGauge.builder("sluice_forecast_coverage_ratio")
              .description("The part of the last starts within the bands that were forecast.")
              .register(registry);
      error =
          MultiGauge.builder("sluice_forecast_error_seconds")
              .description("The median distance of the last starts from the forecast middles.")
              .register(registry);
      pinball =
          MultiGauge.builder("sluice_forecast_pinball")
              .description("The mean pinball loss of the last forecasts, in seconds.")
              .register(registry);
    }

    synchronized void renew(Map<String, Score> scores) {
      List<MultiGauge.Row<?>> covered = new ArrayList<>();
      List<MultiGauge.Row<?>> errors = new ArrayList<>();
      List<MultiGauge.Row<?>> losses = new ArrayList<>();
      scores.forEach(
          (queue, score) -> {
            Tags tags = Tags.of("cluster_queue", queue);
            covered.add(MultiGauge.Row.of(tags, score.coverage()));
            errors.add(MultiGauge.Row.of(tags, score.medianErrorSeconds()));
            losses.add(MultiGauge.Row.of(tags, score.pinball()));
          });
      coverage.register(covered, true);
      error.register(errors, true);
      pinball.register(losses, true);
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(2));
    recorder.close();
  }
}
