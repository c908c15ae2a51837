package dev.sluice.scheduler.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.LifeSettings;
import dev.sluice.lifecycle.workload.ReconcileStep;
import dev.sluice.lifecycle.workload.StatusPatch;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadReconciler;
import dev.sluice.lifecycle.workload.WorkloadTriggers;
import dev.sluice.quota.Change;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the engine's decisions about Workloads and reconciles their lifecycle: sequentially for
 * each Workload, in parallel for different ones. Every patch carries the resourceVersion it was
 * made for, so other writers are never overwritten; after a conflict the Workload is reconciled
 * again.
 */
public final class WorkloadController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  /** After so many failures the engine decides again; a refusal counts for several. */
  private static final int ATTEMPTS = 8;

  private static final int REFUSAL = 4;

  /** A conflict without a later state means that the quota fence refused the reservation. */
  private static final int FENCED = 3;

  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(2);

  /** Before a write is sent again, unless the watch shows what it conflicts with earlier. */
  private static final Duration UNTIL_SEEN = Duration.ofSeconds(1);

  private final Objects objects;
  private final WorkloadTriggers triggers;
  private final WorkloadDependencies dependencies;
  private final Outbox outbox;
  private final EngineLoop engine;
  private final InstantSource clock;
  private final BooleanSupplier leads;
  private final Supplier<Instant> leadsSince;
  private final WorkloadReconciler reconciler;
  private final DecidedStatuses statuses;
  private final PendingStatusWrites pending = new PendingStatusWrites();
  private final RefusedReservations refused = new RefusedReservations();

  /** Workloads whose pending reason is to be written; true when it may be sent. */
  private final Map<ObjectKey, Boolean> awaitingTurn = new ConcurrentHashMap<>();

  private final WorkQueue<ObjectKey> queue;
  private final PendingReasonReporter reporter;

  /**
   * Starts the workers.
   *
   * @param workers the number of Workloads written in parallel
   * @param leads whether this replica may write
   * @param leadsSince when it began to
   * @param nominations says which workers a Workload is offered to
   */
  public WorkloadController(
      Objects objects,
      WorkloadTriggers triggers,
      WorkloadDependencies dependencies,
      Outbox outbox,
      EngineLoop engine,
      LifeSettings settings,
      InstantSource clock,
      BooleanSupplier leads,
      Supplier<Instant> leadsSince,
      Nominations nominations,
      int workers,
      Supervisor supervisor) {
    this.objects = objects;
    this.triggers = triggers;
    this.dependencies = dependencies;
    this.outbox = outbox;
    this.engine = engine;
    this.clock = clock;
    this.leads = leads;
    this.leadsSince = leadsSince;
    this.reconciler = new WorkloadReconciler(settings);
    this.statuses = new DecidedStatuses(reconciler, dependencies, nominations);
    this.queue = new WorkQueue<>("workloads", workers, this::reconcile, supervisor);
    this.reporter = new PendingReasonReporter(this::explain, System::nanoTime, supervisor);
  }

  /** To be stored. */
  public void decided(List<StatusUpdate> decisions) {
    for (StatusUpdate decided : decisions) {
      if (decided.kind() == StatusUpdate.Kind.UNPLACED) {
        DecisionEvents.of(decided, StatusPatch.ref(decided.base()), now()).forEach(outbox::send);
        continue;
      }
      pending.put(decided);
      if (decided.isUrgent()) {
        reporter.busy();
        queue.add(decided.workload());
      } else {
        reporter.add(decided.workload());
      }
    }
  }

  /** Whether a reason had to be written. */
  private boolean explain(ObjectKey workload) {
    boolean waits = pending.find(workload).filter(entry -> !entry.due()).isPresent();
    boolean asks = awaitingTurn.replace(workload, false, true);
    if ((waits && pending.release(workload)) || asks) {
      queue.add(workload);
    }
    return waits || asks;
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    triggers.concernedBy(kind, change).forEach(queue::add);
  }

  @Override
  public void resync() {
    objects.all(WORKLOAD).forEach(workload -> queue.add(ObjectKey.of(workload)));
  }

  /** These ClusterQueues changed for the Workloads that are queued there. */
  public void queuesChanged(Set<String> clusterQueues) {
    clusterQueues.forEach(name -> triggers.queuedIn(name).forEach(queue::add));
  }

  /** Looks at the Workload again, although nothing changed. */
  public void enqueue(ObjectKey workload) {
    queue.add(workload);
  }

  /** How many decisions are not stored yet. */
  public int unstored() {
    return pending.size();
  }

  private Result reconcile(ObjectKey key) {
    Optional<JsonNode> stored = objects.find(WORKLOAD, key.namespace(), key.name());
    Optional<PendingStatusWrites.Entry> entry = pending.find(key);
    Optional<Workload> latest = stored.flatMap(this::read);
    if (latest.isEmpty()) {
      entry.ifPresent(this::forget);
      awaitingTurn.remove(key);
      refused.settled(key);
      return Result.REST;
    }
    return entry.isPresent() && entry.get().due()
        ? store(entry.get(), stored.get(), latest.get())
        : step(latest.get());
  }

  private Optional<Workload> read(JsonNode object) {
    try {
      return Optional.of(objects.workload(object));
    } catch (MalformedObjectException e) {
      LOG.warn("a malformed Workload is ignored until it changes: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private Result store(PendingStatusWrites.Entry entry, JsonNode object, Workload latest) {
    StatusUpdate decided = entry.decided();
    if (!DecisionValidity.holds(decided, latest)) {
      if (decided.isAssumed()) {
        engine.submit(new Change.WorkloadAnswered(latest));
      }
      forget(entry);
      return new Result.Again(Duration.ZERO);
    }
    if (entry.attempts() >= ATTEMPTS) {
      return giveUp(entry, new Result.Again(AFTER_REFUSAL));
    }
    DecidedStatuses.Completed wanted =
        statuses.of(decided, object, latest, leadsSince.get(), now());
    Optional<Write> patch = StatusPatch.patch(latest, wanted.status());
    if (patch.isEmpty()) {
      DecisionEvents.ofOthers(decided, StatusPatch.ref(latest)).forEach(outbox::send);
      stored(entry, latest);
      return new Result.Again(Duration.ZERO);
    }
    return switch (outbox.send(patch.get())) {
      case WriteResult.Done(var written) -> {
        read(written).ifPresent(now -> stored(entry, now));
        DecisionEvents.of(decided, StatusPatch.ref(latest), now()).forEach(outbox::send);
        wanted.stored().run();
        wanted.events().forEach(outbox::send);
        yield new Result.Again(Duration.ZERO);
      }
      case WriteResult.Conflict(var message) when isAsSeen(latest) ->
          decided.takesQuota()
              ? fenced(entry, latest, message)
              : failed(entry, 1, new Result.Again(UNTIL_SEEN));
      case WriteResult.Conflict _, WriteResult.Unanswered _ -> failed(entry, 1, Result.FAILED);
      case WriteResult.Refused _ -> failed(entry, REFUSAL, new Result.Again(AFTER_REFUSAL));
      case WriteResult.Missing _ -> {
        forget(entry);
        yield Result.REST;
      }
      case WriteResult.NotLeading _ -> giveUp(entry, Result.REST);
    };
  }

  private boolean isAsSeen(Workload sent) {
    return objects.isAt(sent.metadata().resourceVersion(), WORKLOAD, ObjectKey.of(sent.metadata()));
  }

  private Result fenced(PendingStatusWrites.Entry entry, Workload latest, String message) {
    boolean isLast = entry.attempts() + FENCED >= ATTEMPTS;
    if (isLast && refused.again(entry.decided().workload())) {
      String report = "Its reservation is refused again and again: " + message;
      LOG.warn(
          "Workload {}: the reservation is refused in every round, the engine decides again in {}"
              + " s: {}",
          entry.decided().workload(),
          AFTER_REFUSAL.toSeconds(),
          message);
      outbox.send(
          new Write.Event(StatusPatch.ref(latest), "Warning", EventReasons.FAILED_UPDATE, report));
    }
    return failed(entry, FENCED, Result.FAILED);
  }

  private void stored(PendingStatusWrites.Entry entry, Workload now) {
    pending.stored(entry);
    refused.settled(entry.decided().workload());
    if (entry.decided().isAssumed()) {
      engine.stored(now);
    }
    StatusUpdate then = entry.decided().then();
    if (then != null) {
      decided(List.of(then));
    }
  }

  private void forget(PendingStatusWrites.Entry entry) {
    pending.remove(entry);
    engine.lost(entry.decided());
  }

  private Result failed(PendingStatusWrites.Entry entry, int times, Result result) {
    if (pending.failed(entry, times) < ATTEMPTS) {
      return result;
    }
    Duration unheard = unheard(entry);
    if (unheard.isPositive()) {
      LOG.warn(
          "Workload {}: no answer says whether the reservation was stored; its quota stays reserved"
              + " for {} s at most",
          entry.decided().workload(),
          unheard.toSeconds() + 1);
    }
    Result later = new Result.Again(AFTER_REFUSAL);
    return pending.find(entry.decided().workload()).map(now -> giveUp(now, later)).orElse(later);
  }

  /**
   * Withdraws the update. An unanswered write may still be stored; as long as that is possible, its
   * quota stays reserved.
   */
  private Result giveUp(PendingStatusWrites.Entry entry, Result result) {
    Duration unheard = unheard(entry);
    if (unheard.isPositive()) {
      return new Result.Again(unheard);
    }
    forget(entry);
    return result;
  }

  private Duration unheard(PendingStatusWrites.Entry entry) {
    StatusUpdate decided = entry.decided();
    return decided.isAssumed() ? outbox.unheard(decided.workload()) : Duration.ZERO;
  }

  private Result step(Workload latest) {
    if (!leads.getAsBoolean()) {
      return Result.REST; // a new leader reconciles all Workloads
    }
    Instant now = now();
    ReconcileStep first = reconciler.reconcile(latest, dependencies, leadsSince.get(), now);
    ReconcileStep step = first.isRest() ? reportPending(latest, first, now) : first;
    Optional<Write> patch = step.status().flatMap(status -> StatusPatch.patch(latest, status));
    if (patch.isPresent() && !send(patch.get())) {
      return Result.FAILED;
    }
    for (Write write : step.writes()) {
      if (!send(write)) {
        return Result.FAILED;
      }
    }
    step.events().forEach(outbox::send);
    return Result.at(step.again(), clock);
  }

  /** The pending reason of a Workload that needs no other step, if it may be written now. */
  private ReconcileStep reportPending(Workload latest, ReconcileStep rest, Instant now) {
    ObjectKey key = ObjectKey.of(latest.metadata());
    ReconcileStep report = reconciler.reportPending(latest, dependencies, now);
    if (report.isRest()) {
      awaitingTurn.remove(key);
      return rest;
    }
    if (awaitingTurn.remove(key, true)) {
      return report;
    }
    awaitingTurn.put(key, false);
    reporter.add(key);
    return rest;
  }

  private boolean send(Write write) {
    return outbox.send(write).isDone();
  }

  @Override
  public void close() {
    reporter.close();
    queue.close();
  }
}
