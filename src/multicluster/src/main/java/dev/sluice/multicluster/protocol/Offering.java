package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.OwnershipMarks;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.dispatch.Candidate;
import dev.sluice.multicluster.dispatch.Nomination;
import dev.sluice.multicluster.protocol.Plan.State;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** No worker has admitted the Workload yet: it is offered to some, and each says why it waits. */
final class Offering {
  /** What the name of a job is taken by when this manager made it for another Workload. */
  static final String EARLIER_JOB = "an earlier copy of the job";

  private static final String WITHDRAWN = "the workload is not offered to this cluster";

  private Offering() {}

  static State plan(Context context) {
    Optional<Worker> relabeled = context.workers.stream().filter(Worker::isRelabeled).findFirst();
    if (relabeled.isPresent()) { // its job may run there, and a second one must not run beside it
      context.plan.waitsFor(relabeled.get().name(), labelRemoved());
      return State.OFFERED;
    }
    Optional<State> ended = SliceTakeover.prepare(context);
    if (ended.isPresent()) {
      return ended.get();
    }
    Optional<Worker> winner = Winning.winner(context);
    if (winner.isPresent()) {
      Winning.plan(context, winner.get());
      return State.WON;
    }
    if (!context.workload.areOtherChecksReady()) {
      context.plan.say("waits for its other admission checks");
      return State.READY_TO_OFFER;
    }
    Optional<String> awaited = awaited(context.situation.constraint());
    if (awaited.isPresent()) {
      context.plan.say("waits for " + awaited.get());
      return State.READY_TO_OFFER;
    }
    if (isWithoutJob(context)) {
      context.plan.say("no job here is to run there");
      return State.READY_TO_OFFER;
    }
    List<String> stored = context.workload.nominated();
    List<String> wanted = nominate(context, stored);
    if (!wanted.equals(stored)) {
      context.plan.nominate(context.workload.nominate(wanted), wanted);
      if (!wanted.isEmpty()) {
        context.plan.local(
            context.workload.event(
                "Normal", "Nominated worker clusters: " + String.join(", ", wanted)));
      }
      return State.READY_TO_OFFER;
    }
    context.workers.forEach(it -> offer(context, it, stored.contains(it.name())));
    if (GivingUp.isDue(context)) {
      return State.RESETTING;
    }
    return stored.isEmpty() ? State.READY_TO_OFFER : State.OFFERED;
  }

  private static Optional<String> awaited(PlacementConstraint constraint) {
    return switch (constraint) {
      case PlacementConstraint.WaitFor(String what) -> Optional.of(what);
      case PlacementConstraint.Follow(String cluster) when cluster.isEmpty() ->
          Optional.of("a cluster for the first workload of its job");
      default -> Optional.empty();
    };
  }

  /** Whether there is nothing that could run elsewhere. */
  static boolean isWithoutJob(Context context) {
    return context
        .situation
        .owner()
        .filter(it -> it.wanted().isEmpty() && !it.isCarried())
        .isPresent();
  }

  private static List<String> nominate(Context context, List<String> stored) {
    switch (context.situation.constraint()) {
      case PlacementConstraint.Follow(String cluster) -> {
        return List.of(cluster);
      }
      case PlacementConstraint.TakeOver(String cluster, _) -> {
        return List.of(cluster);
      }
      default -> {}
    }
    List<Candidate> candidates =
        context.workers.stream()
            .filter(it -> it.state().isConfigured())
            .map(it -> candidate(context, it))
            .toList();
    Nomination nomination =
        context
            .settings
            .dispatcher()
            .nominate(candidates, stored, context.plan.memory.round(), context.now);
    context.plan.memory = context.plan.memory.with(nomination.round());
    nomination.again().ifPresent(context.plan::again);
    nomination
        .unknown()
        .forEach(it -> context.plan.say("nominated cluster %s is unknown".formatted(it)));
    return nomination.clusters();
  }

  /** A worker that is left out can be a candidate again when its time is over. */
  private static Candidate candidate(Context context, Worker worker) {
    Optional<Memory.LeftOut> leftOut = context.plan.memory.leftOut(worker.name(), context.now);
    leftOut.ifPresent(it -> context.plan.again(it.until()));
    return new Candidate(
        worker.name(),
        worker.state().isConnected() && serves(context, worker),
        leftOut.isPresent());
  }

  private static boolean serves(Context context, Worker worker) {
    return context
        .situation
        .owner()
        .filter(it -> worker.state().notServed().contains(it.kind().groupKind()))
        .isEmpty();
  }

  static WaitingReason labelRemoved() {
    return new WaitingReason.LabelRemoved(Labels.MULTI_KUEUE_ORIGIN);
  }

  static WaitingReason notConnected(Link.Lost lost, Instant now) {
    return new WaitingReason.NotConnected(
        Duration.between(lost.since(), now), lost.error(), lost.nextAttempt());
  }

  private static void offer(Context context, Worker worker, boolean isNominated) {
    PlanBuilder plan = context.plan;
    String name = worker.name();
    if (!isNominated || !worker.state().isConfigured()) {
      context.withdraw(worker, true, WITHDRAWN);
      if (worker.state().isConfigured() && plan.memory.leftOut(name, context.now).isEmpty()) {
        whyNotReached(context, worker)
            .ifPresentOrElse(
                it -> plan.waitsFor(name, it),
                () -> plan.waitsFor(name, new WaitingReason.NotNominated()));
      }
      return;
    }
    Optional<WaitingReason> unreachable = whyNotReached(context, worker);
    if (unreachable.isPresent()) {
      plan.waitsFor(name, unreachable.get());
      return;
    }
    Optional<Memory.LeftOut> leftOut = plan.memory.leftOut(name, context.now);
    if (leftOut.isPresent()) {
      context.withdraw(worker, true, WITHDRAWN);
      plan.again(leftOut.get().until());
      plan.waitsFor(name, new WaitingReason.LeftOut(leftOut.get().why(), leftOut.get().until()));
      return;
    }
    if (worker.isTaken()) {
      leaveOutTaken(context, worker, "Workload", worker.there().orElseThrow());
    } else if (worker.foreignJob().isPresent()) {
      leaveOutTaken(context, worker, kind(context), worker.foreignJob().get());
      context.withdraw(worker, true, WITHDRAWN);
    } else if (isHeldUp(worker)) {
      context.plan.waitsFor(worker.name(), worker.beingRemoved(EARLIER_JOB));
      context.withdraw(worker, true, WITHDRAWN);
    } else if (worker.copy().isPresent()) {
      keep(context, worker, worker.copy().get());
    } else {
      create(context, worker);
    }
  }

  /** Whether a job of ours is in the way that is not to be taken over. */
  private static boolean isHeldUp(Worker worker) {
    return worker
        .otherJob()
        .filter(it -> worker.earlierJob(Worker.nameOf(it)).isEmpty())
        .isPresent();
  }

  private static Optional<WaitingReason> whyNotReached(Context context, Worker worker) {
    return switch (worker.state().link()) {
      case Link.Lost lost -> Optional.of(notConnected(lost, context.now));
      case Link.Connecting _ -> Optional.of(new WaitingReason.Listing());
      case Link.Connected(boolean isComplete) ->
          !serves(context, worker)
              ? Optional.of(new WaitingReason.KindNotServed(kind(context)))
              : isComplete ? Optional.empty() : Optional.of(new WaitingReason.Listing());
    };
  }

  private static String kind(Context context) {
    return context.situation.owner().map(it -> it.kind().kind()).orElse("job");
  }

  private static void leaveOutTaken(Context context, Worker worker, String kind, JsonNode object) {
    String manager = OwnershipMarks.of(object).manager();
    String whose =
        manager.isEmpty() ? "which is not of this manager" : "which is of manager " + manager;
    context.leaveOut(
        worker,
        Memory.Cause.NAME_TAKEN,
        new WaitingReason.NameTaken(kind, Worker.nameOf(object), whose).text());
  }

  /** Looks at a copy that is there and not admitted, or not ours to use as it is. */
  private static void keep(Context context, Worker worker, JsonNode copy) {
    boolean isCurrent = worker.current().isPresent();
    boolean isSame = WorkloadCopies.isOfSameSpec(context.workload.tree(), copy);
    if (!isCurrent || !isSame || Withdrawal.isBeingDeleted(copy)) {
      context.plan.waitsFor(worker.name(), worker.beingRemoved("an earlier copy of the workload"));
      context.withdraw(worker, true, WITHDRAWN);
      return;
    }
    Optional<Refusal> refusal = refusal(context, worker, copy);
    if (refusal.isPresent()) {
      context.leaveOut(worker, refusal.get().cause(), refusal.get().why());
      context.withdraw(worker, true, WITHDRAWN);
      return;
    }
    if (Worker.is(copy, ConditionTypes.FINISHED)) {
      context.withdraw(worker, true, WITHDRAWN);
      return;
    }
    ObjectNode followed = WorkloadCopies.followed(context.workload.tree(), copy);
    if (!followed.isEmpty()) {
      context.plan.remote(worker.name(), Chosen.patch(WorkloadView.TYPE, copy, followed));
    }
    SliceTakeover.follow(context, worker, copy);
    Optional<WaitingReason> queue = SilentWorker.look(context, worker, copy);
    context.plan.waitsFor(
        worker.name(),
        worker.state().refusal().or(() -> queue).orElseGet(() -> Planner.waiting(copy)));
  }

  private record Refusal(Memory.Cause cause, String why) {}

  /** Why the worker will not take it; empty if it still may. */
  private static Optional<Refusal> refusal(Context context, Worker worker, JsonNode copy) {
    if (Chosen.isFinished(copy, Reasons.OUT_OF_SYNC)) {
      return Optional.of(
          new Refusal(Memory.Cause.OUT_OF_SYNC, Chosen.differences(context, worker)));
    }
    if (!copy.path("spec").path("active").asBoolean(true)) {
      String why =
          Conditions.find(copy, ConditionTypes.EVICTED)
              .map(it -> ": " + it.path("message").asText())
              .orElse("");
      return Optional.of(
          new Refusal(Memory.Cause.DEACTIVATED, "the workload is deactivated there" + why));
    }
    return copy.path("status")
        .path("admissionChecks")
        .valueStream()
        .filter(it -> it.path("state").asText().equals("Rejected"))
        .findFirst()
        .map(
            it ->
                new Refusal(
                    Memory.Cause.REJECTED,
                    "check %s rejected it there: %s"
                        .formatted(it.path("name").asText(), it.path("message").asText())));
  }

  /** Nothing is made before the worker itself says that the job's name is free. */
  private static void create(Context context, Worker worker) {
    List<JsonNode> ours = worker.jobs();
    if (!ours.isEmpty()) {
      context.plan.waitsFor(worker.name(), worker.beingRemoved(EARLIER_JOB));
      context.withdraw(worker, true, WITHDRAWN);
      return;
    }
    if (worker.state().queue() instanceof QueueState.NoNamespace(boolean isTerminating)) {
      context.plan.waitsFor(
          worker.name(), new WaitingReason.NoNamespace(context.namespace(), isTerminating));
      return; // its change on the worker leads here
    }
    context.plan.waitsFor(
        worker.name(), worker.state().refusal().orElseGet(WaitingReason.BeingCreated::new));
    Set<Plan.Ask> unasked = worker.unasked();
    unasked.forEach(context.plan::ask);
    if (!unasked.isEmpty()) {
      return;
    }
    ObjectNode body = WorkloadCopies.of(context.workload.tree(), context.settings.us());
    SliceTakeover.name(context, worker, body);
    context.plan.remote(
        worker.name(),
        new Write.Create(ObjectRef.of(WorkloadView.TYPE, body), body, Controllers.MULTI_KUEUE));
    context.plan.count(Plan.Counter.What.DISPATCHED, worker.name());
  }
}
