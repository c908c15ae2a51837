package dev.sluice.scheduler.lead;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires the Lease and renews it. Whether this replica leads is decided by the clock, not by the
 * renewing thread: a process that was stopped for a while sees that its Lease has expired. A
 * replica that lost the Lease does not acquire it again; its process should end. Thread-safe.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** The longest that a renewal and the pause after it may take, beside the period. */
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** A release fails if a renewal is stored between its reading and its writing. */
  private static final int RELEASES = 3;

  /** What happens to the lead; called on the thread that renews. */
  public interface Listener {
    /** This replica leads from now on. Also called after a time in which it could not know. */
    void won();

    /** This replica no longer leads. */
    void lost();
  }

  private final LeaseSettings settings;
  private final Lease lease;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Listener listener;
  private final SupervisedThread thread;

  private final Term term;

  /**
   * The Lease was acquired and the listener is not notified yet; used by the thread only, as are
   * the next two.
   */
  private boolean won;

  private String observed = "";
  private long observedAt;

  /** Whether a request was sent that makes the Lease ours. */
  private volatile boolean asked;

  /** Whether the last attempt saw another holder: a term of ours is over at once then. */
  private boolean taken;

  /** A lost Lease is not released: writes of this replica may still be on their way. */
  private volatile boolean lost;

  /** For the same reason the Lease is not released at the close. */
  private volatile boolean keeps;

  /** Leadership by a Lease; nothing happens before {@link #start}. */
  public Leadership(
      Connection connection,
      LeaseSettings settings,
      InstantSource clock,
      LongSupplier nanoTime,
      Listener listener,
      Supervisor supervisor) {
    this.settings = settings;
    this.lease = new Lease(connection, settings);
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.term = new Term(settings.deadline(), nanoTime);
    this.thread =
        supervisor
            .part("lease")
            .thread(Thread.ofPlatform().daemon(), DEADLINE.plus(settings.period()), this::step);
  }

  /** Starts to try. */
  public void start() {
    thread.start();
  }

  /** Whether we may write at this moment. */
  public boolean isLeader() {
    return term.goesOn();
  }

  /**
   * One attempt and the pause after it. Whatever fails, another one follows: a term that is not
   * renewed ends by the clock.
   */
  private boolean step(Heartbeat heart) throws InterruptedException {
    if (!lost) {
      renew();
    }
    if (lost) {
      listener.lost();
      return false;
    }
    if (won) {
      listener.won();
      won = false;
    }
    TimeUnit.NANOSECONDS.sleep(settings.period().toNanos());
    return true;
  }

  private void renew() {
    long began = nanoTime.getAsLong(); // others count from when it was asked for
    boolean ours = false;
    taken = false;
    try {
      ours = attempt();
    } finally {
      if (ours && term.renewed(began)) {
        won = true;
        LOG.info("this replica is the leader now, as {}", settings.identity());
      } else if (!ours && (term.isOver() || (taken && term.goesOn()))) {
        term.end();
        lost = true;
        LOG.error("this replica lost the Lease and stops writing");
      }
    }
  }

  /** Whether the Lease is ours now. */
  private boolean attempt() {
    try {
      Optional<JsonNode> seen = lease.read();
      taken = seen.isPresent() && isTaken(seen.get());
      if (taken) {
        return false;
      }
      asked = true;
      return lease.hold(seen, now());
    } catch (ConnectionException e) {
      if (e.reason() != ConnectionException.Reason.INTERRUPTED) {
        LOG.warn("a request for the Lease failed and is retried: {}", e.getMessage());
      }
      return false;
    }
  }

  private Instant now() {
    return clock.instant();
  }

  /** Whether another replica holds the Lease and renewed it, by our clock, within its duration. */
  private boolean isTaken(JsonNode seen) {
    String holder = Lease.holder(seen);
    if (holder.isEmpty() || holder.equals(settings.identity())) {
      return false;
    }
    long now = nanoTime.getAsLong();
    String state = holder + " " + seen.path("spec").path("renewTime").asText();
    if (!state.equals(observed)) {
      observed = state;
      observedAt = now;
    }
    long patience =
        TimeUnit.SECONDS.toNanos(seen.path("spec").path("leaseDurationSeconds").asLong(1));
    return now - observedAt < patience;
  }

  /**
   * Lets the Lease run out after the close: a write may be on its way that the next leader misses.
   */
  public void keep() {
    keeps = true;
    LOG.info("the end came during a write: the Lease runs out and is not released");
  }

  /** Stops trying, and releases the Lease if this replica holds it. */
  @Override
  public void close() {
    thread.close(Duration.ofSeconds(2));
    term.end();
    if (asked && !lost && !keeps) {
      release();
    }
  }

  /** Reads the Lease first: closing may have cut off a renewal that the API server still stored. */
  private void release() {
    try {
      for (int attempt = 1; attempt <= RELEASES; attempt++) {
        Optional<JsonNode> ours =
            lease.read().filter(it -> Lease.holder(it).equals(settings.identity()));
        if (ours.isEmpty() || lease.release(ours.get(), now())) {
          return;
        }
      }
      LOG.info("the Lease was not released: it changed at each attempt");
    } catch (ConnectionException e) {
      LOG.info("the Lease was not released: {}", e.getMessage());
    }
  }
}
