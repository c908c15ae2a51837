package dev.sluice.scheduler.audit;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.audit.Audit;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the engine's state continuously: each round checks one snapshot, in bounded pieces of one
 * per second, on a thread of its own. A broken law is logged with the object's name once, and
 * counted as {@code sluice_audit_findings_total}. Thread-safe.
 */
public final class AuditController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditController.class);

  /** Amounts and workloads of a piece: two or three milliseconds where there are thousands. */
  private static final int PIECE = 2_000;

  private static final Duration APART = Duration.ofSeconds(1);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  /** The longest that a piece may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final int MOST_REMEMBERED = 1_000;

  private final Supplier<Snapshot> snapshots;
  private final StoredAudit stored;
  private final Counter findings;
  private final Counter rounds;
  private final Set<String> told = new LinkedHashSet<>();
  private final SupervisedThread thread;
  private final Lock looking = new ReentrantLock();
  private @Nullable Audit round;

  /**
   * Audits the snapshots of that supplier, which must be thread-safe.
   *
   * @param stored audits stored Workloads
   */
  public AuditController(
      Supplier<Snapshot> snapshots,
      StoredAudit stored,
      MeterRegistry registry,
      Supervisor supervisor) {
    this.snapshots = snapshots;
    this.stored = stored;
    Gauge.builder("sluice.contradictory.workloads", stored, StoredAudit::contradictory)
        .description("stored Workloads whose status contradicts itself")
        .register(registry);
    this.findings =
        Counter.builder("sluice.audit.findings")
            .description("inconsistencies of the quota state found by audits")
            .register(registry);
    this.rounds =
        Counter.builder("sluice.audit.rounds")
            .description("audits of the whole state")
            .register(registry);
    this.thread =
        supervisor.part("audit").thread(Thread.ofPlatform().daemon(), DEADLINE, this::waitAndStep);
  }

  /** Starts to look. */
  public void start() {
    thread.start();
  }

  private boolean waitAndStep(Heartbeat heart) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(APART.toNanos());
    step();
    return true;
  }

  /** Looks at one piece more. If that fails, the next one begins another round. */
  void step() {
    Audit current = round == null ? new Audit(snapshots.get()) : round;
    round = null;
    boolean more = current.goOn(PIECE);
    report(current.findings());
    report(stored.goOn(PIECE));
    round = more ? current : null;
    if (!more) {
      rounds.increment();
    }
  }

  /** Somebody found that; what is new of it is logged and counted. */
  public synchronized void report(List<String> found) {
    for (String finding : found) {
      if (told.add(finding)) {
        findings.increment();
        LOG.error("the audit found an inconsistency: {}", finding);
      }
    }
    while (told.size() > MOST_REMEMBERED) {
      told.remove(told.iterator().next());
    }
  }

  /**
   * Looks at all of the present state, for at most some seconds, on the caller's thread; one caller
   * at a time.
   */
  public AuditReport now() {
    looking.lock();
    try {
      return look();
    } finally {
      looking.unlock();
    }
  }

  private AuditReport look() {
    var audit = new Audit(snapshots.get());
    long end = System.nanoTime() + LONGEST_LOOK.toNanos();
    boolean more = true;
    while (more && System.nanoTime() - end < 0) {
      more = audit.goOn(PIECE);
    }
    List<String> found = new ArrayList<>(audit.findings());
    report(found);
    found.addAll(stored.now()); // reported if they persist
    return new AuditReport(!more, found);
  }

  /** Looks no more. */
  @Override
  public void close() {
    thread.close(Duration.ZERO);
  }
}
