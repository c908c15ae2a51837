package dev.sluice.scheduler.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded queue of changes in front of the engine. Any thread puts; the engine's thread takes
 * batches, and what it has taken and not yet applied is there for its next step.
 */
final class EngineInbox {
  private static final Logger LOG = LoggerFactory.getLogger(EngineInbox.class);
  private static final int ROOM = 1 << 16;
  private static final int BATCH = 4_096;

  /** Changes nothing; it only ends the wait for a change. */
  private static final Change WAKE = new Change.StatusStored(new ObjectKey("", "wake"));

  private final BlockingQueue<Change> changes = new ArrayBlockingQueue<>(ROOM);

  /** Taken out of the queue and not yet applied; of the engine's thread alone. */
  private final Queue<Change> inHand = new ArrayDeque<>();

  private volatile boolean closed;

  /**
   * Queues a change; blocks while the queue is full. An interrupt does not lose the change: the
   * interrupt flag is set again on return.
   *
   * @return whether it is queued; false once the inbox is closed
   */
  boolean put(Change change) {
    boolean interrupted = false;
    boolean taken = false;
    while (!closed && !taken) {
      try {
        taken = changes.offer(change, 1, TimeUnit.SECONDS);
        if (!taken) {
          LOG.debug("the engine lags behind: {} changes are queued", changes.size());
        }
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return taken;
  }

  /** Ends the wait of the engine's thread. */
  void wake() {
    var _ = changes.offer(WAKE); // a full queue needs none
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  boolean isClosed() {
    return closed;
  }

  /** Takes nothing more. */
  void close() {
    closed = true;
  }

  /**
   * Takes a batch, unless there is one that was not applied.
   *
   * @param patience how long to wait for the first change, in ms
   * @param pause how long to let more come after the first, in ns
   */
  void take(long patience, Pause pause) throws InterruptedException {
    if (!inHand.isEmpty()) {
      return; // of a step that failed
    }
    Change first = changes.poll(patience, TimeUnit.MILLISECONDS);
    if (first != null) {
      inHand.add(first);
      TimeUnit.NANOSECONDS.sleep(pause.nanos());
      changes.drainTo(inHand, BATCH);
    }
  }

  /** A time that is only known when it is needed. */
  @FunctionalInterface
  interface Pause {
    /** The time in ns; none if it is not above 0. */
    long nanos();
  }

  /** The next change of the batch, or null. */
  @Nullable Change next() {
    Change change = inHand.poll();
    while (isWake(change)) {
      change = inHand.poll();
    }
    return change;
  }

  @SuppressWarnings("ReferenceEquality") // an equal change of the cluster is none
  private static boolean isWake(@Nullable Change change) {
    return change == WAKE;
  }
}
