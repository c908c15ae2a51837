package dev.sluice.scheduler.queue;

import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.metrics.QueueMetrics;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.scheduler.write.Sent;
import dev.sluice.scheduler.write.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes over all queues after something moved, and writes what differs. Passes are apart, so that a
 * thousand admissions are one write to each queue; one that could not write all is done again.
 */
public final class QueuePass implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePass.class);
  private static final int PARALLEL = 16;

  private final Objects objects;
  private final Supplier<Snapshot> snapshot;
  private final boolean fairSharing;
  private final Sender sender;
  private final BooleanSupplier leads;
  private final QueueMetrics metrics;
  private final InstantSource clock;
  private final Duration apart;
  private final Semaphore moved = new Semaphore(0);
  private final ExecutorService senders;
  private final Thread thread;

  /**
   * Starts to go over queues.
   *
   * @param apart the least time between two passes
   */
  public QueuePass(
      Objects objects,
      Supplier<Snapshot> snapshot,
      boolean fairSharing,
      Sender sender,
      BooleanSupplier leads,
      QueueMetrics metrics,
      InstantSource clock,
      Duration apart) {
    this.objects = objects;
    this.snapshot = snapshot;
    this.fairSharing = fairSharing;
    this.sender = sender;
    this.leads = leads;
    this.metrics = metrics;
    this.clock = clock;
    this.apart = apart;
    this.senders =
        Executors.newFixedThreadPool(
            PARALLEL, Thread.ofVirtual().name("sluice-queue-status-", 0).factory());
    this.thread = Thread.ofVirtual().name("sluice-queues").start(this::run);
  }

  /** Something moved. */
  public void moved() {
    if (moved.availablePermits() == 0) {
      moved.release();
    }
  }

  private void run() {
    try {
      while (true) {
        moved.acquire();
        moved.drainPermits();
        if (!pass()) {
          moved();
        }
        TimeUnit.NANOSECONDS.sleep(apart.toNanos());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only close interrupts
    }
  }

  /** Whether all that was to be written is. */
  private boolean pass() throws InterruptedException {
    QueuePlanner.Planned planned;
    try {
      planned =
          QueuePlanner.plan(
              QueueObjects.of(objects),
              snapshot.get(),
              fairSharing,
              clock.instant().truncatedTo(ChronoUnit.SECONDS));
    } catch (RuntimeException e) {
      LOG.error("queues could not be gone over", e);
      return false;
    }
    metrics.update(planned.clusterQueues(), planned.localQueues());
    if (!leads.getAsBoolean()) {
      return true;
    }
    List<Callable<Boolean>> calls = new ArrayList<>();
    planned.writes().forEach(write -> calls.add(() -> send(write)));
    boolean all = true;
    for (Future<Boolean> done : senders.invokeAll(calls)) {
      try {
        all &= done.get();
      } catch (ExecutionException e) {
        LOG.error("a queue could not be written", e.getCause());
        all = false;
      }
    }
    return all;
  }

  private boolean send(Write write) {
    Sent sent = sender.send(write);
    switch (sent) {
      case Sent.Done(var object) -> {
        objects.wrote(write.target().kind().groupKind(), object);
        return !(write instanceof Write.MergePatch patch && patch.subresource().isEmpty());
      }
      case Sent.Missing _ -> {
        return true; // gone, as the view will tell
      }
      case Sent.Refused(_, var message) ->
          LOG.warn(
              "{} {} is refused: {}", write.target().kind().kind(), write.target().name(), message);
      case Sent.Conflict _, Sent.Unanswered _, Sent.NotLeading _ -> {}
    }
    return false;
  }

  @Override
  public void close() {
    thread.interrupt();
    senders.shutdownNow();
  }
}
