package dev.sluice.multicluster.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.controller.WorkerCalls.Outcome;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.multicluster.waiting.WaitingReason;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends batches of requests to one worker: one batch at a time for each object, and a limited
 * number in all. No caller waits for a batch; its Workload is planned again when the batch ends.
 * Thread-safe.
 */
final class WorkerRequestQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerRequestQueue.class);

  /** The largest number of batches under way. */
  private static final int IN_FLIGHT = 32;

  private final String cluster;
  private final Workers workers;
  private final BooleanSupplier leads;
  private final Consumer<Outcome> listener;
  private final WorkerRateLimiter gate;
  private final WorkQueue<TypedObjectKey> queue;

  @GuardedBy("this")
  private final Map<TypedObjectKey, RequestBatch> waiting = new HashMap<>();

  @GuardedBy("this")
  private final Set<TypedObjectKey> underWay = new HashSet<>();

  @GuardedBy("this")
  private final Setbacks setbacks;

  @GuardedBy("this")
  private Optional<WaitingReason> lastUnanswered = Optional.empty();

  /**
   * A queue without batches.
   *
   * @param listener receives the result of each request; must not block
   */
  WorkerRequestQueue(
      String cluster,
      Workers workers,
      BooleanSupplier leads,
      Consumer<Outcome> listener,
      LongSupplier nanoTime,
      Supervisor supervisor) {
    this.cluster = cluster;
    this.workers = workers;
    this.leads = leads;
    this.listener = listener;
    this.setbacks = new Setbacks(nanoTime);
    this.gate = new WorkerRateLimiter(nanoTime);
    this.queue = new WorkQueue<>("worker-" + cluster, IN_FLIGHT, this::run, supervisor);
  }

  /**
   * Takes a batch. A batch under way for the same object is finished first and ends with a new
   * plan; a waiting one is replaced.
   *
   * @return the remaining backoff after an earlier failure; empty if the batch is taken
   */
  synchronized Optional<Duration> offer(RequestBatch batch) {
    Optional<Duration> left = setbacks.left(batch.key());
    if (left.isPresent()) {
      return left;
    }
    if (!underWay.contains(batch.key())) {
      waiting.put(batch.key(), batch);
      queue.add(batch.key());
    }
    return Optional.empty();
  }

  /**
   * Why the last batch for that object failed; of one that waits because the worker does not
   * answer, why another one failed.
   */
  synchronized Optional<WaitingReason> refusal(TypedObjectKey key) {
    if (setbacks.has(key)) {
      return setbacks.reason(key);
    }
    return gate.isBroken() && waiting.containsKey(key) ? lastUnanswered : Optional.empty();
  }

  /** Drops what is known of failures for that object. */
  void forget(TypedObjectKey key) {
    forgotten(key).forEach(Runnable::run);
  }

  private synchronized List<Runnable> forgotten(TypedObjectKey key) {
    return setbacks.forget(key);
  }

  /** Drops what is known of failures in these namespaces, in which something has changed there. */
  synchronized void retryIn(Set<String> namespaces) {
    setbacks.forget(namespaces);
  }

  /** How many batches wait. */
  synchronized int size() {
    return waiting.size();
  }

  /** Whether no batch waits and none is under way. */
  synchronized boolean isIdle() {
    return waiting.isEmpty() && underWay.isEmpty();
  }

  /** Whether the worker failed so often that it is only probed. */
  boolean isBroken() {
    return gate.isBroken();
  }

  private Result run(TypedObjectKey key) {
    RequestBatch batch = begin(key);
    if (batch == null) {
      return Result.REST; // it was taken back, or its predecessor is under way
    }
    Optional<WorkerView> view = workers.find(cluster).flatMap(Workers.Worker::known);
    if (view.isEmpty()) {
      end(batch, new Outcome.Done()); // when the worker is back, all is planned anew
      return Result.REST;
    }
    Duration closed = gate.closed();
    if (closed.isPositive()) {
      putBack(batch);
      return new Result.Again(closed);
    }
    Outcome outcome = new Outcome.Unanswered("it ended unexpectedly", Optional.empty());
    try {
      outcome = carryOut(batch, new WorkerCalls(view.get(), leads));
    } finally {
      end(batch, outcome);
      batch.ended().run();
    }
    return Result.REST;
  }

  private synchronized @Nullable RequestBatch begin(TypedObjectKey key) {
    if (underWay.contains(key)) {
      return null;
    }
    RequestBatch batch = waiting.remove(key);
    if (batch != null) {
      underWay.add(key);
    }
    return batch;
  }

  private synchronized void putBack(RequestBatch batch) {
    underWay.remove(batch.key());
    waiting.putIfAbsent(batch.key(), batch);
  }

  private Outcome carryOut(RequestBatch batch, WorkerCalls calls) {
    for (Plan.Ask ask : batch.asks()) {
      pause();
      Outcome asked = judged(calls.ask(ask.kind(), ask.namespace(), ask.name()));
      if (!(asked instanceof Outcome.Done)) {
        return asked;
      }
    }
    for (Write write : batch.writes()) {
      if (!isValidAtItsTurn(batch)) {
        return new Outcome.Done(); // the plan that follows knows what is different
      }
      Outcome sent = judged(calls.send(write));
      if (!(sent instanceof Outcome.Done)) {
        LOG.debug("worker {}: {} ended as {}", cluster, write, sent);
        return sent;
      }
      batch.sent().accept(write);
    }
    return new Outcome.Done();
  }

  /** Whether its plan holds; what is outdated already takes no turn from others. */
  private boolean isValidAtItsTurn(RequestBatch batch) {
    if (!batch.isValid().getAsBoolean()) {
      return false;
    }
    pause();
    return batch.isValid().getAsBoolean();
  }

  private void pause() {
    try {
      Thread.sleep(gate.slot());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the next request ends with it
    }
  }

  private Outcome judged(Outcome outcome) {
    listener.accept(outcome);
    switch (outcome) {
      case Outcome.Unanswered(_, var retryAfter) -> gate.failed(retryAfter);
      case Outcome.NotLeading _ -> {}
      case Outcome.Done _, Outcome.Outdated _, Outcome.Refused _ -> gate.answered();
    }
    return outcome;
  }

  private void end(RequestBatch batch, Outcome outcome) {
    ended(batch, outcome).forEach(Runnable::run);
  }

  /** What is to be planned again besides. */
  private synchronized List<Runnable> ended(RequestBatch batch, Outcome outcome) {
    underWay.remove(batch.key());
    Optional<WaitingReason> reason =
        switch (outcome) {
          case Outcome.Refused(var why) -> Optional.of(why);
          case Outcome.Unanswered(var message, _) ->
              Optional.of(new WaitingReason.NotConnected(Duration.ZERO, message, Optional.empty()));
          case Outcome.Done _, Outcome.Outdated _, Outcome.NotLeading _ -> Optional.empty();
        };
    if (outcome instanceof Outcome.Unanswered) {
      lastUnanswered = reason;
    }
    return switch (outcome) {
      case Outcome.Done _ -> setbacks.succeeded(batch.key());
      case Outcome.NotLeading _ -> setbacks.forget(batch.key());
      case Outcome.Outdated _, Outcome.Refused _, Outcome.Unanswered _ ->
          setbacks.failed(batch.key(), reason, batch.ended());
    };
  }

  @Override
  public void close() {
    queue.close();
  }
}
