package dev.sluice.server.see;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.Forecaster;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes forecasts for all Workloads that wait, on a thread of its own, each time that the queues
 * have changed. The thread takes less than a tenth of one core, garbage collection included: after
 * a forecast it rests eleven times as long as the forecast took. It works on a fork of the engine.
 * Callers read the last forecasts, so nobody waits for it. A forecast that fails is counted and
 * logged, and the last ones stay; their age is measured. The process stays healthy then, because
 * its other answers do not need forecasts. Thread-safe.
 */
final class Forecasts implements AutoCloseable {
  /** The rest between two forecasts, at least. */
  static final Duration LEAST_REST = Duration.ofSeconds(10);

  /** After that no further play goes on, so that all is over in two seconds. */
  private static final Duration CPU = Duration.ofMillis(1_700);

  /** For the fewest plays, without which there is no forecast. */
  private static final Duration MOST_CPU = Duration.ofSeconds(60);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A forecast takes a few seconds; a thread that is silent for so long hangs. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private static final int REST = 11;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final QueueSource queues;
  private final Learned learned;
  private final HistoryTracker tracker;
  private final InstantSource clock;
  private final Duration leastRest;
  private final Part part;
  private final SupervisedThread thread;
  private final AtomicLong version = new AtomicLong();
  private volatile double lastSeconds;
  private volatile @Nullable Instant lastTime;
  private volatile @Nullable ScoreGauges scores;

  // of the thread alone
  private @Nullable QueueState last;
  private long rest;

  /**
   * Forecasts that begin with {@link #start}.
   *
   * @param tracker what is known of each Workload
   * @param leastRest between two forecasts
   */
  Forecasts(
      QueueSource queues,
      Learned learned,
      HistoryTracker tracker,
      InstantSource clock,
      Duration leastRest,
      Supervisor supervisor) {
    this.queues = queues;
    this.learned = learned;
    this.tracker = tracker;
    this.clock = clock;
    this.leastRest = leastRest;
    this.rest = leastRest.toNanos();
    this.part = supervisor.part("forecast");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /** Starts the thread; to be called once. */
  void start() {
    thread.start();
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
      long began = THREADS.getCurrentThreadCpuTime();
      try {
        forecast(began, heart);
      } catch (RuntimeException e) {
        part.failed(e, "the last forecasts stay, and it is tried again");
      } catch (StackOverflowError e) { // of a fork that nobody else has, so nothing is half done
        part.failed(new IllegalStateException("the stack is full", e), "it is tried again");
      }
      long cost = THREADS.getCurrentThreadCpuTime() - began;
      rest = Math.max(leastRest.toNanos(), REST * cost);
    }
    return true;
  }

  /**
   * Makes the forecasts of all Workloads that wait.
   *
   * @param began the CPU time of this thread at its beginning, in nanoseconds
   */
  private void forecast(long began, Heartbeat heart) throws InterruptedException {
    QueueFork fork;
    try {
      fork = queues.fork().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the engine made no fork", e);
    }
    Instant now = clock.instant();
    Map<ObjectKey, Forecast> forecasts =
        Forecaster.run(
            fork.fork(),
            now,
            learned.runTimes().model(tracker.unfinished(), now),
            tracker::find,
            learned.arrivals(),
            Forecaster.Bounds.USUAL,
            now.getEpochSecond(),
            isNeeded -> {
              heart.beat(); // a play of a large cluster takes long
              Duration most = isNeeded ? MOST_CPU : CPU;
              return THREADS.getCurrentThreadCpuTime() - began < most.toNanos();
            });
    learned.book().update(forecasts);
    ScoreGauges gauges = scores;
    if (gauges != null) {
      gauges.renew(learned.book().scores());
    }
    last = fork.state();
    lastTime = now;
    version.incrementAndGet();
    lastSeconds = (THREADS.getCurrentThreadCpuTime() - began) / 1e9;
  }

  /** Measures what they cost, how old they are, and how good they were. */
  void bindTo(MeterRegistry registry) {
    Gauge.builder("sluice_forecast_cpu_seconds", () -> lastSeconds)
        .description("CPU time of the last forecast of all Workloads.")
        .register(registry);
    Gauge.builder(
            "sluice_forecast_timestamp_seconds",
            () -> {
              Instant at = lastTime;
              return at == null ? 0 : at.getEpochSecond();
            })
        .description("When the last forecast was made, in Unix time; 0 for never.")
        .register(registry);
    scores = new ScoreGauges(registry);
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(2));
  }
}
