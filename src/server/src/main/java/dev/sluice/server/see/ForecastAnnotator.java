package dev.sluice.server.see;

import dev.sluice.cluster.api.Connection;
import dev.sluice.scheduler.lead.Leadership;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Transition;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Writes forecasts to Workloads while it has the Lease for that, on a thread of its own: each
 * replica makes its own forecasts, and two that write theirs would undo each other's. Thread-safe.
 */
final class ForecastAnnotator implements AutoCloseable {
  /** The name of the Lease. */
  static final String LEASE = "sluice-see-forecasts";

  private static final Duration LEASE_DURATION = Duration.ofSeconds(30);
  private static final Duration LEASE_DEADLINE = Duration.ofSeconds(20);
  private static final Duration LEASE_PERIOD = Duration.ofSeconds(5);
  private static final Duration BETWEEN_TURNS = Duration.ofSeconds(1);

  /** The writes of a turn, each of which may take five seconds. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Connection connection;
  private final LeaseSettings settings;
  private final Supervisor supervisor;
  private final ForecastWrites writes;
  private final SupervisedThread thread;
  private volatile boolean lost;
  private volatile Leadership leadership;

  /**
   * One that writes nothing before {@link #start}.
   *
   * @param namespace of the Lease
   */
  ForecastAnnotator(
      Connection connection,
      String namespace,
      ForecastWrites.Source source,
      Supervisor supervisor) {
    this.connection = connection;
    this.settings =
        new LeaseSettings(
            namespace,
            LEASE,
            "sluice-see_" + UUID.randomUUID(),
            null,
            LEASE_DURATION,
            LEASE_DEADLINE,
            LEASE_PERIOD);
    this.supervisor = supervisor;
    this.leadership = candidate();
    Sender sender = Sender.ofSingleAttempts(connection, () -> leadership.isLeader());
    this.writes = new ForecastWrites(source, sender::send, System::nanoTime);
    this.thread =
        supervisor
            .part("forecast-annotations")
            .thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  private Leadership candidate() {
    return new Leadership(
        connection,
        settings,
        InstantSource.system(),
        System::nanoTime,
        new Leadership.Listener() {
          @Override
          public void won() {
            // the next turn asks
          }

          @Override
          public void lost() {
            lost = true;
          }
        },
        supervisor);
  }

  /** Starts its threads; to be called once. */
  void start() {
    leadership.start();
    thread.start();
  }

  /** Takes note of a line of the history: while Workloads are admitted, nothing is written. */
  void note(HistoryLine line) {
    if (line instanceof Transition transition) {
      switch (transition.step()) {
        case RESERVED, ADMITTED, EVICTED -> writes.busy();
        case QUEUED, CHANGED, CONTINUED, RELEASED, FINISHED, GONE, OPEN -> {}
      }
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    TimeUnit.NANOSECONDS.sleep(BETWEEN_TURNS.toNanos());
    heart.beat();
    if (lost) { // such a candidate never tries again
      lost = false;
      leadership.close();
      leadership = candidate();
      leadership.start();
    }
    if (leadership.isLeader()) {
      writes.turn();
    }
    return true;
  }

  /** Measures what is written. */
  void bindTo(MeterRegistry registry) {
    writes.bindTo(registry);
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(2));
    leadership.close();
  }
}
