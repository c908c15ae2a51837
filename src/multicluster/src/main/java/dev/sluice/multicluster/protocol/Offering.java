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
import dev.sluice.multicluster.copy.Marks;
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
      context.draft.waitsFor(relabeled.get().name(), labelRemoved());
      return State.OFFERED;
    }
    Optional<State> ended = Succession.prepare(context);
    if (ended.isPresent()) {
      return ended.get();
    }
    Optional<Worker> winner = Winning.winner(context);
    if (winner.isPresent()) {
      Winning.plan(context, winner.get());
      return State.WON;
    }
    if (!context.workload.areOtherChecksReady()) {
      context.draft.say("waits for its other admission checks");
      return State.READY_TO_OFFER;
    }
    Optional<String> awaited = awaited(context.situation.company());
    if (awaited.isPresent()) {
      context.draft.say("waits for " + awaited.get());
      return State.READY_TO_OFFER;
    }
    if (isWithoutJob(context)) {
      context.draft.say("no job here is to run there");
      return State.READY_TO_OFFER;
    }
    List<String> stored = context.workload.nominated();
    List<String> wanted = nominate(context, stored);
    if (!wanted.equals(stored)) {
      context.draft.local(context.workload.nominate(wanted));
      if (!wanted.isEmpty()) {
        context.draft.local(
            context.workload.event(
                "Normal", "Nominated worker clusters: " + String.join(", ", wanted)));
      }
      return State.READY_TO_OFFER;
    }
    context.workers.forEach(it -> offer(context, it, stored.contains(it.name())));
    return stored.isEmpty() ? State.READY_TO_OFFER : State.OFFERED;
  }

  private static Optional<String> awaited(Company company) {
    return switch (company) {
      case Company.WaitFor(String what) -> Optional.of(what);
      case Company.Follow(String cluster) when cluster.isEmpty() ->
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
    switch (context.situation.company()) {
      case Company.Follow(String cluster) -> {
        return List.of(cluster);
      }
      case Company.TakeOver(String cluster, _) -> {
        return List.of(cluster);
      }
      default -> {}
    }
    List<Candidate> candidates =
        context.workers.stream()
            .filter(it -> it.seen().isConfigured())
            .map(it -> candidate(context, it))
            .toList();
    Nomination nomination =
        context
            .settings
            .dispatcher()
            .nominate(candidates, stored, context.draft.memory.round(), context.now);
    context.draft.memory = context.draft.memory.with(nomination.round());
    nomination.again().ifPresent(context.draft::again);
    nomination
        .unknown()
        .forEach(it -> context.draft.say("nominated cluster %s is unknown".formatted(it)));
    return nomination.clusters();
  }

  private static Candidate candidate(Context context, Worker worker) {
    return new Candidate(
        worker.name(),
        worker.seen().isConnected() && serves(context, worker),
        context.draft.memory.leftOut(worker.name(), context.now).isPresent());
  }

  private static boolean serves(Context context, Worker worker) {
    return context
        .situation
        .owner()
        .filter(it -> worker.seen().notServed().contains(it.kind().groupKind()))
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
    Draft draft = context.draft;
    String name = worker.name();
    if (!isNominated || !worker.seen().isConfigured()) {
      context.withdraw(worker, true, WITHDRAWN);
      if (worker.seen().isConfigured() && draft.memory.leftOut(name, context.now).isEmpty()) {
        whyNotReached(context, worker)
            .ifPresentOrElse(
                it -> draft.waitsFor(name, it),
                () -> draft.waitsFor(name, new WaitingReason.NotNominated()));
      }
      return;
    }
    Optional<WaitingReason> unreachable = whyNotReached(context, worker);
    if (unreachable.isPresent()) {
      draft.waitsFor(name, unreachable.get());
      return;
    }
    Optional<Memory.LeftOut> leftOut = draft.memory.leftOut(name, context.now);
    if (leftOut.isPresent()) {
      context.withdraw(worker, true, WITHDRAWN);
      draft.again(leftOut.get().until());
      draft.waitsFor(name, new WaitingReason.LeftOut(leftOut.get().why(), leftOut.get().until()));
      return;
    }
    if (worker.isTaken()) {
      leaveOutTaken(context, worker, "Workload", worker.there().orElseThrow());
    } else if (worker.foreignJob().isPresent()) {
      leaveOutTaken(context, worker, kind(context), worker.foreignJob().get());
      context.withdraw(worker, true, WITHDRAWN);
    } else if (isHeldUp(worker)) {
      context.draft.waitsFor(worker.name(), new WaitingReason.BeingRemoved(EARLIER_JOB));
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
    return switch (worker.seen().link()) {
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
    String manager = Marks.of(object).manager();
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
      context.draft.waitsFor(
          worker.name(), new WaitingReason.BeingRemoved("an earlier copy of the workload"));
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
      context.draft.remote(worker.name(), Chosen.patch(WorkloadView.TYPE, copy, followed));
    }
    Succession.follow(context, worker, copy);
    context.draft.waitsFor(
        worker.name(), worker.seen().refusal().orElseGet(() -> Planner.waiting(copy)));
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
      context.draft.waitsFor(worker.name(), new WaitingReason.BeingRemoved(EARLIER_JOB));
      context.withdraw(worker, true, WITHDRAWN);
      return;
    }
    context.draft.waitsFor(
        worker.name(), worker.seen().refusal().orElseGet(WaitingReason.BeingCreated::new));
    Set<Plan.Ask> unasked = worker.unasked();
    unasked.forEach(context.draft::ask);
    if (!unasked.isEmpty()) {
      return;
    }
    ObjectNode body = WorkloadCopies.of(context.workload.tree(), context.settings.us());
    Succession.name(context, worker, body);
    context.draft.remote(
        worker.name(),
        new Write.Create(ObjectRef.of(WorkloadView.TYPE, body), body, Controllers.MULTI_KUEUE));
    context.draft.count(Plan.Counter.What.DISPATCHED, worker.name());
  }
}
