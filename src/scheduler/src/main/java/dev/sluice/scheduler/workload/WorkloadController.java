package dev.sluice.scheduler.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.quota.Change;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.MergeDiff;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what was decided about Workloads, and what their life asks for: for each Workload one
 * after the other, for different ones in parallel. Every patch demands the version it was made for,
 * so whoever else writes is never overwritten; a conflict means to look again.
 */
public final class WorkloadController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadController.class);
  private static final String MANAGER = "kueue-admission";

  /** After so many failures the engine decides anew; a refusal counts for many. */
  private static final int ATTEMPTS = 8;

  private static final int REFUSAL = 4;

  /** A conflict without a later state is one with the reservations of others: to be seen anew. */
  private static final int FENCED = 3;

  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(2);

  private final Objects objects;
  private final Surroundings around;
  private final Outbox outbox;
  private final EngineLoop engine;
  private final InstantSource clock;
  private final BooleanSupplier leads;
  private final WorkloadReconciler reconciler;
  private final PendingStatusWrites pending = new PendingStatusWrites();
  private final RefusedReservations refused = new RefusedReservations();

  /** Those that are to be told what no decision says; true when it is their turn. */
  private final Map<ObjectKey, Boolean> awaitingTurn = new ConcurrentHashMap<>();

  private final WorkQueue<ObjectKey> queue;
  private final PendingReasonReporter reporter;

  /**
   * Starts to work.
   *
   * @param workers how many Workloads are written at a time
   * @param leads whether anything is to be written at all
   */
  public WorkloadController(
      Objects objects,
      Surroundings around,
      Outbox outbox,
      EngineLoop engine,
      LifeSettings settings,
      InstantSource clock,
      BooleanSupplier leads,
      int workers,
      Supervisor supervisor) {
    this.objects = objects;
    this.around = around;
    this.outbox = outbox;
    this.engine = engine;
    this.clock = clock;
    this.leads = leads;
    this.reconciler = new WorkloadReconciler(settings);
    this.queue = new WorkQueue<>("workloads", workers, this::look, supervisor);
    this.reporter = new PendingReasonReporter(this::explain, System::nanoTime, supervisor);
  }

  /** To be stored. */
  public void decided(List<StatusUpdate> decisions) {
    for (StatusUpdate decided : decisions) {
      if (decided.kind() == StatusUpdate.Kind.UNPLACED) {
        DecisionEvents.of(decided, ref(decided.base()), now()).forEach(outbox::send);
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

  /** Whether there was something to tell it. */
  private boolean explain(ObjectKey workload) {
    boolean waits = pending.find(workload).filter(entry -> !entry.due()).isPresent();
    boolean asks = awaitingTurn.replace(workload, false, true);
    if ((waits && pending.release(workload)) || asks) {
      queue.add(workload);
    }
    return waits || asks;
  }

  /** The Workload, or something that it depends on, has changed. */
  public void changed(ObjectKey workload) {
    queue.add(workload);
  }

  /** How many decisions are not stored yet. */
  public int unstored() {
    return pending.size();
  }

  private Result look(ObjectKey key) {
    Optional<JsonNode> stored =
        objects.find(ApiKind.WORKLOAD.groupKind(), key.namespace(), key.name());
    Optional<PendingStatusWrites.Entry> entry = pending.find(key);
    Optional<Workload> latest = stored.flatMap(this::read);
    if (latest.isEmpty()) {
      entry.ifPresent(this::forget);
      awaitingTurn.remove(key);
      refused.settled(key);
      return Result.REST;
    }
    return entry.isPresent() && entry.get().due()
        ? store(entry.get(), latest.get())
        : step(latest.get());
  }

  private Optional<Workload> read(JsonNode object) {
    try {
      return Optional.of(objects.workload(object));
    } catch (MalformedObjectException e) {
      LOG.warn("passed over: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private Result store(PendingStatusWrites.Entry entry, Workload latest) {
    StatusUpdate decided = entry.decided();
    if (!holds(decided, latest)) {
      if (decided.isAssumed()) {
        engine.tell(new Change.WorkloadAnswered(latest));
      }
      forget(entry);
      return new Result.Again(Duration.ZERO);
    }
    if (entry.attempts() >= ATTEMPTS) {
      return giveUp(entry, new Result.Again(AFTER_REFUSAL));
    }
    WorkloadStatus wanted =
        StatusDelta.carry(decided.base().status(), decided.after().status(), latest.status());
    Optional<Write> patch = patch(latest, wanted);
    if (patch.isEmpty()) {
      DecisionEvents.ofOthers(decided, ref(latest)).forEach(outbox::send);
      stored(entry, latest);
      return new Result.Again(Duration.ZERO);
    }
    return switch (outbox.send(patch.get())) {
      case WriteResult.Done(var object) -> {
        read(object).ifPresent(now -> stored(entry, now));
        DecisionEvents.of(decided, ref(latest), now()).forEach(outbox::send);
        yield new Result.Again(Duration.ZERO);
      }
      case WriteResult.Conflict(var message) when isAsSeen(latest) ->
          fenced(entry, latest, message);
      case WriteResult.Conflict _ -> failed(entry, 1, Result.FAILED);
      case WriteResult.Unanswered _ -> failed(entry, 1, Result.FAILED);
      case WriteResult.Refused _ -> failed(entry, REFUSAL, new Result.Again(AFTER_REFUSAL));
      case WriteResult.Missing _ -> {
        forget(entry);
        yield Result.REST;
      }
      case WriteResult.NotLeading _ -> giveUp(entry, Result.REST);
    };
  }

  private boolean isAsSeen(Workload sent) {
    return objects.isAt(
        sent.metadata().resourceVersion(),
        ApiKind.WORKLOAD.groupKind(),
        ObjectKey.of(sent.metadata()));
  }

  private Result fenced(PendingStatusWrites.Entry entry, Workload latest, String message) {
    boolean isLast = entry.attempts() + FENCED >= ATTEMPTS;
    if (isLast && refused.again(entry.decided().workload())) {
      String telling = "Its reservation is refused again and again: " + message;
      LOG.warn("{}: {}", entry.decided().workload(), telling);
      outbox.send(new Write.Event(ref(latest), "Warning", "FailedUpdate", telling));
    }
    return failed(entry, FENCED, Result.FAILED);
  }

  /** Whether the decision still makes sense for what the Workload has become. */
  private static boolean holds(StatusUpdate decided, Workload latest) {
    Workload base = decided.base();
    boolean mayGo = // then it gives back what it holds only when its pods are gone
        decided.kind() == StatusUpdate.Kind.EVICTED || decided.kind() == StatusUpdate.Kind.REPLACED;
    boolean same =
        base.metadata().uid().equals(latest.metadata().uid())
            && !StatusEdit.isTrue(latest, ConditionTypes.FINISHED)
            && (mayGo || latest.metadata().deletionTimestamp() == null);
    boolean reserved = StatusEdit.isTrue(latest, ConditionTypes.QUOTA_RESERVED);
    return same
        && switch (decided.kind()) {
          case RESERVED ->
              !reserved
                  && base.spec().equals(latest.spec())
                  && base.status().admissionChecks().equals(latest.status().admissionChecks())
                  && base.status().reclaimablePods().equals(latest.status().reclaimablePods());
          case PLACED -> reserved && isPlacedAlike(base, latest);
          case EVICTED -> reserved;
          case UNPLACED -> false;
          case PENDING -> !reserved && base.spec().equals(latest.spec());
          case REPLACED -> true;
        };
  }

  /** Whether what places are wanted for is the same. */
  private static boolean isPlacedAlike(Workload base, Workload latest) {
    WorkloadStatus then = base.status();
    WorkloadStatus now = latest.status();
    return !StatusEdit.isTrue(latest, ConditionTypes.EVICTED)
        && base.spec().equals(latest.spec())
        && Optional.ofNullable(then.admission()).equals(Optional.ofNullable(now.admission()))
        && then.admissionChecks().equals(now.admissionChecks())
        && then.unhealthyNodes().equals(now.unhealthyNodes());
  }

  private static Optional<Write> patch(Workload latest, WorkloadStatus wanted) {
    ObjectNode difference =
        MergeDiff.between(HubObjects.write(latest.status()), HubObjects.write(wanted));
    if (difference.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("status", difference);
    return Optional.of(
        new Write.MergePatch(
            ref(latest), "status", body, MANAGER, latest.metadata().resourceVersion()));
  }

  private static ObjectRef ref(Workload workload) {
    var metadata = workload.metadata();
    return new ObjectRef(
        ApiKind.WORKLOAD.hub(), metadata.namespace(), metadata.name(), metadata.uid());
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
          "{}: nobody said whether its reservation was stored; kept for {} s at most",
          entry.decided().workload(),
          unheard.toSeconds() + 1);
    }
    Result later = new Result.Again(AFTER_REFUSAL);
    return pending.find(entry.decided().workload()).map(now -> giveUp(now, later)).orElse(later);
  }

  /**
   * It is not to be stored any more. What was sent without an answer may be stored all the same:
   * while it may, what it takes is nobody else's.
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
      return Result.REST; // whoever leads does it; all are looked at when we do
    }
    Instant now = now();
    ReconcileStep look = reconciler.look(latest, around, now);
    ReconcileStep step = look.isRest() ? tell(latest, look, now) : look;
    Optional<Write> patch = step.status().flatMap(status -> patch(latest, status));
    if (patch.isPresent() && !send(patch.get())) {
      return Result.FAILED;
    }
    for (Write write : step.writes()) {
      if (!send(write)) {
        return Result.FAILED;
      }
    }
    step.events().forEach(outbox::send);
    return step.again()
        .<Result>map(at -> new Result.Again(Duration.between(clock.instant(), at)))
        .orElse(Result.REST);
  }

  /** What to tell one that is at rest, if it is its turn. */
  private ReconcileStep tell(Workload latest, ReconcileStep rest, Instant now) {
    ObjectKey key = ObjectKey.of(latest.metadata());
    ReconcileStep telling = reconciler.tell(latest, around, now);
    if (telling.isRest()) {
      awaitingTurn.remove(key);
      return rest;
    }
    if (awaitingTurn.remove(key, true)) {
      return telling;
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
