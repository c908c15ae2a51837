package dev.sluice.server.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.scheduler.engine.EngineFork;
import dev.sluice.see.whatif.QuotaEdit;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries out edits of ClusterQueues on forks of the scheduler's engine, one at a time. A caller
 * waits 50 ms at most. After an attempt that took longer there is a pause, so that a cluster too
 * large for this costs little. Thread-safe.
 */
public final class QuotaEditTrials implements QuotaEdits, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaEditTrials.class);

  /** How long a review waits for an answer. */
  static final Duration BOUND = Duration.ofMillis(50);

  /** A pause is so many times as long as the attempt before it. */
  private static final long PAUSE = 20;

  private final Supplier<CompletableFuture<EngineFork>> forks;
  private final InstantSource clock;
  private final Duration bound;
  private final Part part;
  private final ExecutorService executor =
      new ThreadPoolExecutor( // its thread ends when nothing was asked for a while
          0,
          1,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().name("sluice-quota-edit").daemon().factory());

  /** Taken by the one edit that is being tried. */
  private final Semaphore turn = new Semaphore(1);

  private volatile long pauseUntil = System.nanoTime();

  /**
   * Trials on those forks.
   *
   * @param forks makes one; a future that fails is no answer
   */
  public QuotaEditTrials(
      Supplier<CompletableFuture<EngineFork>> forks, InstantSource clock, Supervisor supervisor) {
    this(forks, clock, BOUND, supervisor);
  }

  QuotaEditTrials(
      Supplier<CompletableFuture<EngineFork>> forks,
      InstantSource clock,
      Duration bound,
      Supervisor supervisor) {
    this.forks = forks;
    this.clock = clock;
    this.bound = bound;
    this.part = supervisor.part("quota-edit");
  }

  @Override
  public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    long began = System.nanoTime();
    if (pauses(began)) {
      return Optional.empty();
    }
    ClusterQueue edited;
    try {
      edited = HubObjects.read(ClusterQueue.class, clusterQueue);
    } catch (MalformedObjectException _) {
      return Optional.empty(); // other rules report malformed objects
    }
    CompletableFuture<Optional<List<QuotaLoss>>> answer = new CompletableFuture<>();
    if (!begins(answer, edited, began + bound.toNanos())) {
      return Optional.empty();
    }
    try {
      return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException _) {
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private boolean begins(
      CompletableFuture<Optional<List<QuotaLoss>>> answer, ClusterQueue edited, long end) {
    if (!turn.tryAcquire()) {
      return false;
    }
    try {
      executor.execute(part.guarded(() -> complete(answer, edited, end)));
      return true;
    } catch (RejectedExecutionException _) {
      turn.release();
      return false; // it is closed
    }
  }

  private void complete(
      CompletableFuture<Optional<List<QuotaLoss>>> answer, ClusterQueue edited, long end) {
    long began = System.nanoTime();
    Optional<List<QuotaLoss>> losses = Optional.empty();
    try {
      if (!pauses(began)) { // one before this may have ended just now
        losses = tried(edited, end);
      }
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      LOG.debug("there is no engine to try an edit on", e);
    } finally {
      long now = System.nanoTime();
      if (now - end > 0) {
        pauseUntil = now + PAUSE * (now - began);
      }
      turn.release();
      answer.complete(losses); // also after a failure, which the part reports
    }
  }

  private boolean pauses(long now) {
    return now - pauseUntil < 0;
  }

  private Optional<List<QuotaLoss>> tried(ClusterQueue edited, long end)
      throws ExecutionException, TimeoutException, InterruptedException {
    EngineFork fork = forks.get().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    return QuotaEdit.losses(
            fork.engine(),
            Change.upserted(ObjectKind.CLUSTER_QUEUE, edited),
            clock.instant(),
            () -> System.nanoTime() - end < 0)
        .map(
            losses ->
                losses.stream()
                    .map(it -> new QuotaLoss(it.workload().key(), it.returns()))
                    .toList());
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
