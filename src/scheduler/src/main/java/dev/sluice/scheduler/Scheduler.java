package dev.sluice.scheduler;

import dev.sluice.cluster.api.Connection;
import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.audit.AuditReport;
import dev.sluice.scheduler.engine.EngineFork;
import dev.sluice.scheduler.lead.Leadership;
import dev.sluice.scheduler.metrics.SchedulerMetrics;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of one cluster. It watches the cluster from the start, so that it can take over at
 * once, and writes only while it leads. All that it must remember is stored in the objects. Here is
 * its life: listing, waiting for the Lease, taking over, leading, the end; {@link SchedulerParts}
 * connects its parts.
 */
public final class Scheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  /** The longest that a page of Workloads may take at the takeover. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final SchedulerParts parts;
  private final @Nullable Leadership leadership;
  private final Takeover takeover;
  private final Runnable deposed;
  private final InstantSource clock;
  private final Supervisor supervisor;
  private final SupervisedThread starter;
  private volatile @Nullable SupervisedThread taking;
  private volatile boolean complete;
  private volatile boolean leading;
  private volatile Instant leadsSince;
  private volatile boolean over;

  private Scheduler(
      Connection connection,
      SchedulerOptions options,
      InstantSource clock,
      MeterRegistry registry,
      OpenTelemetry telemetry,
      Runnable deposed,
      Supervisor supervisor,
      ControllerFactory others) {
    this.deposed = deposed;
    this.clock = clock;
    this.leadsSince = clock.instant();
    this.supervisor = supervisor;
    this.leadership =
        options
            .lease()
            .map(
                lease ->
                    new Leadership(
                        connection,
                        lease,
                        clock,
                        System::nanoTime,
                        new LeaseListener(),
                        supervisor))
            .orElse(null);
    this.parts =
        new SchedulerParts(
            connection, options, clock, registry, telemetry, supervisor, new ThisReplica(), others);
    this.takeover = new Takeover(connection, parts.objects);
    this.starter =
        supervisor
            .part("start")
            .thread(
                Thread.ofVirtual(),
                DEADLINE,
                new ViewWait(parts.view::unlisted, POLL_INTERVAL, this::seesAll));
  }

  /**
   * Starts a scheduler; returns at once.
   *
   * @param registry takes what is measured
   * @param telemetry takes what is traced
   * @param deposed called once if this replica loses the Lease; it writes nothing after that, and
   *     the process should end
   * @param supervisor of all threads
   * @param others makes controllers of other modules
   */
  public static Scheduler start(
      Connection connection,
      SchedulerOptions options,
      InstantSource clock,
      MeterRegistry registry,
      OpenTelemetry telemetry,
      Runnable deposed,
      Supervisor supervisor,
      ControllerFactory others) {
    Scheduler scheduler =
        new Scheduler(connection, options, clock, registry, telemetry, deposed, supervisor, others);
    if (scheduler.parts.recorder != null) {
      scheduler.parts.recorder.start();
    }
    scheduler.parts.engine.start();
    scheduler.parts.view.start();
    scheduler.starter.start();
    scheduler.parts.audit.start();
    return scheduler;
  }

  private void seesAll() {
    complete = true;
    LOG.info("the scheduler has listed all objects: {}", parts.view.summary());
    if (leadership == null) {
      startTakingOver();
    } else {
      leadership.start();
    }
  }

  private void startTakingOver() {
    taking =
        supervisor.part("takeover").thread(Thread.ofVirtual(), DEADLINE, this::takeOver).start();
  }

  /** Leads after it has read what the last leader wrote and a watch may not have shown yet. */
  private boolean takeOver(Heartbeat heart) throws InterruptedException {
    takeover.read(parts.engine::submit, heart);
    long all = parts.engine.changes().submitted();
    while (!over && parts.engine.changes().published() < all) { // statuses are written from there
      heart.beat();
      Thread.sleep(POLL_INTERVAL);
    }
    if (over) {
      return false;
    }
    leadsSince = clock.instant(); // before anything is written
    leading = true;
    parts.engine.decide(true);
    parts.controllers.forEach(Controller::resync);
    return false;
  }

  /** Whether it writes. */
  public boolean isLeader() {
    return leading && (leadership == null || leadership.isLeader());
  }

  private String role() {
    return leadership == null ? "standalone" : isLeader() ? "leader" : "follower";
  }

  /** Whether it has listed all objects once. */
  public boolean isComplete() {
    return complete;
  }

  /** Its state in one line. */
  public String summary() {
    return "%s; %s; %d decisions to store"
        .formatted(
            isLeader() ? "leading" : complete ? "standing by" : "filling",
            parts.view.summary(),
            parts.workloads.unstored());
  }

  /** The state of the quotas as it is now. */
  public Snapshot snapshot() {
    return parts.engine.snapshot();
  }

  /**
   * An engine of its own in the state of this one's, made by the thread of the engine within a
   * cycle or so. It fails with an IllegalStateException once the scheduler is closed.
   */
  public CompletableFuture<EngineFork> fork() {
    return parts.engine.fork();
  }

  /** The metrics with Kueue's names, besides what is in the registry. */
  public SchedulerMetrics metrics() {
    return parts.metrics;
  }

  /** Checks all of the engine's state for broken laws, for some seconds at most. */
  public AuditReport audit() {
    return parts.audit.now();
  }

  /** What the parts see of this scheduler. */
  private final class ThisReplica implements SchedulerParts.Replica {
    @Override
    public boolean isLeader() {
      return Scheduler.this.isLeader();
    }

    @Override
    public Instant leadsSince() {
      return leadsSince;
    }

    @Override
    public boolean isComplete() {
      return complete;
    }

    @Override
    public String role() {
      return Scheduler.this.role();
    }
  }

  private final class LeaseListener implements Leadership.Listener {
    /** Also after a term that ended unnoticed, in which another replica may have led. */
    @Override
    public void won() {
      leading = false;
      parts.engine.decide(false);
      startTakingOver();
    }

    @Override
    public void lost() {
      over = true;
      leading = false;
      parts.engine.decide(false);
      deposed.run();
    }
  }

  /** Stops deciding and writing, then gives up the Lease; the connection stays open. */
  @Override
  public void close() {
    starter.close(Duration.ZERO);
    SupervisedThread unfinished = taking;
    if (unfinished != null) {
      unfinished.close(Duration.ZERO);
    }
    parts.engine.decide(false);
    parts.view.close();
    parts.engine.close();
    if (parts.recorder != null) {
      parts.recorder.close();
    }
    parts.audit.close();
    parts.controllers.forEach(Controller::close);
    leading = false; // no call begins after this one that is not counted
    if (leadership != null) {
      if (parts.sender.mayStillWrite()) {
        leadership.keep();
      }
      leadership.close();
    }
    parts.events.close();
  }
}
