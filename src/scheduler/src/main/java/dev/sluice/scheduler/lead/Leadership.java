package dev.sluice.scheduler.lead;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries to lead, and once it does, to go on. Whether we lead is asked of the clock and not of the
 * thread that renews: a process that was stopped for a while finds that it does not. Who lost the
 * lead does not get it back; the process should end. Thread-safe.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** What happens to the lead; called on the thread that renews. */
  public interface Listener {
    /** We lead from now on. */
    void won();

    /**
     * We lead again, and nobody else did meanwhile: the Lease was renewed so late that for a moment
     * nothing could be written. What was put aside in that moment has to be looked at again.
     */
    void resumed();

    /** We do not lead any more. */
    void lost();
  }

  private final LeaseSettings settings;
  private final Lease lease;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Listener listener;
  private final Thread thread;

  private String observed = "";
  private long observedAt;
  private volatile boolean leading;
  private volatile long renewedAt;
  private volatile @Nullable JsonNode held;

  /** Leadership by a Lease; nothing happens before {@link #start}. */
  public Leadership(
      Connection connection,
      LeaseSettings settings,
      InstantSource clock,
      LongSupplier nanoTime,
      Listener listener) {
    this.settings = settings;
    this.lease = new Lease(connection, settings);
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon().name("sluice-lease").unstarted(this::run);
  }

  /** Starts to try. */
  public void start() {
    thread.start();
  }

  /** Whether we may write at this moment. */
  public boolean isLeader() {
    return leading && nanoTime.getAsLong() - renewedAt < settings.deadline().toNanos();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        long began = nanoTime.getAsLong();
        boolean ours = attempt();
        if (ours) {
          boolean lapsed = leading && !isLeader();
          renewedAt = began; // others count from when it was asked for
          if (lapsed) {
            LOG.warn("leading again: the Lease was renewed late");
            listener.resumed();
          } else if (!leading) {
            leading = true;
            LOG.info("leading, as {}", settings.identity());
            listener.won();
          }
        } else if (leading && !isLeader()) {
          leading = false;
          LOG.error("not leading any more");
          listener.lost();
          return;
        }
        TimeUnit.NANOSECONDS.sleep(settings.period().toNanos());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only close interrupts
    }
  }

  /** Whether the Lease is ours now. */
  private boolean attempt() {
    try {
      Optional<JsonNode> seen = lease.read();
      if (seen.isPresent() && isTaken(seen.get())) {
        return false;
      }
      Optional<JsonNode> next = lease.hold(seen, now());
      next.ifPresent(it -> held = it);
      return next.isPresent();
    } catch (ConnectionException e) {
      if (e.reason() != ConnectionException.Reason.INTERRUPTED) {
        LOG.warn("the Lease cannot be renewed: {}", e.getMessage());
      }
      return false;
    }
  }

  private Instant now() {
    return clock.instant();
  }

  /** Whether another holds it and was heard of, by our clock, within the time it asked for. */
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

  /** Stops trying, and lets the Lease go if it is ours. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(2_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // whoever stops us is in a hurry
    }
    JsonNode last = held;
    if (leading && last != null) {
      leading = false;
      try {
        lease.release(last, now());
      } catch (ConnectionException e) {
        LOG.debug("the Lease was not released: {}", e.getMessage());
      }
    }
  }
}
