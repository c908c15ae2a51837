package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.multicluster.protocol.Plan.State;
import dev.sluice.multicluster.waiting.WaitingMessage;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans what has to be so on every cluster for one Workload. Pure: the same situation gives the
 * same plan. Any thread may call it.
 */
public final class Planner {
  private static final Set<String> NOT_FINISHED =
      Set.of(Reasons.OUT_OF_SYNC, Reasons.OWNER_NOT_FOUND, Reasons.WORKLOAD_SLICE_REPLACED);

  /** The states in which the message of the check says what is waited for. */
  private static final Set<State> TOLD = Set.of(State.READY_TO_OFFER, State.OFFERED, State.WON);

  /** How long a Workload waits before it is told why. */
  private static final Duration FIRST_TOLD = Duration.ofSeconds(2);

  /**
   * How long it is not told that it is about to be created: a message is one more request, and
   * telling all that wait for requests would make them wait longer.
   */
  private static final Duration CREATED_BY = Duration.ofMinutes(1);

  /** How long a worker may take to look at a copy before it is told that it has not. */
  private static final Duration LOOKED_AT_BY = Duration.ofSeconds(30);

  private final ProtocolSettings settings;

  public Planner(ProtocolSettings settings) {
    this.settings = requireNonNull(settings, "settings");
  }

  /** The next steps for the Workload. */
  public Plan plan(Situation situation) {
    Context context = new Context(situation, settings);
    State state = next(context);
    if (TOLD.contains(state)) {
      tell(context);
    }
    return context.plan.build(state);
  }

  private static State next(Context context) {
    ManagerWorkload workload = context.workload;
    if (context.situation.constraint() instanceof PlacementConstraint.Replaced) {
      SliceTakeover.leave(context);
      return State.IDLE;
    }
    if (workload.runsWithoutCheck()) {
      Optional<Worker> ended = finishedThere(context);
      ended.ifPresent(it -> finish(context, it));
      return ended.isPresent() ? State.FINISHED_THERE : State.IDLE;
    }
    if (workload.isIdle()) {
      idle(context);
      return State.IDLE;
    }
    Optional<Worker> finished = finishedThere(context);
    if (finished.isPresent() && !workload.checkState().equals("Rejected")) {
      finish(context, finished.get());
      return State.FINISHED_THERE;
    }
    context.plan.memory = context.plan.memory.ended(Optional.empty());
    if (workload.is(ConditionTypes.EVICTED)) {
      Evicting.plan(context);
      return State.EVICTING;
    }
    return switch (workload.checkState()) {
      case "Rejected" -> State.REJECTED;
      case "Retry" -> State.RESETTING;
      default -> live(context);
    };
  }

  /** Nothing of it is to run anywhere; workers out of reach are looked at when they are back. */
  private static void idle(Context context) {
    boolean stopsFirst = !context.workload.isOver();
    context.workers.forEach(it -> context.withdraw(it, stopsFirst, "the workload has no quota"));
    context.workers.stream()
        .filter(it -> it.name().equals(context.workload.cluster()))
        .filter(_ -> context.workload.isBeingDeleted())
        .forEach(it -> awaitLink(context, it));
  }

  /**
   * Without its worker's lists nobody knows whether a Workload that is being deleted runs there.
   */
  private static void awaitLink(Context context, Worker chosen) {
    boolean mayRun =
        switch (chosen.state().link()) {
          case Link.Connected(boolean isComplete) -> !isComplete;
          case Link.Connecting _ -> true;
          case Link.Lost lost -> !context.isLost(lost);
        };
    if (mayRun) {
      context.plan.stop(Plan.Stop.MAY_RUN);
    }
  }

  private static State live(Context context) {
    boolean isPending = context.workload.checkState().equals("Pending");
    if (isPending && context.workload.cluster().isEmpty()) {
      Optional<String> never = neverDispatched(context.situation.owner());
      if (never.isPresent()) {
        context.plan.local(context.workload.reset("Rejected", never.get(), context.now));
        context.plan.local(context.workload.event("Warning", never.get()));
        return State.REJECTED;
      }
    }
    if (!isPending || !context.workload.cluster().isEmpty()) {
      return Chosen.plan(context);
    }
    return Offering.plan(context);
  }

  /** Why such a job can never run elsewhere; empty if it can. */
  private static Optional<String> neverDispatched(Optional<Owner> owner) {
    if (owner.isEmpty()) {
      return Optional.of("No multikueue adapter found");
    }
    Owner of = owner.get();
    if (of.remote().isEmpty()) {
      return Optional.of(
          "No multikueue adapter found for owner kind \"%s, Kind=%s\""
              .formatted(of.kind().apiVersion(), of.kind().kind()));
    }
    if (of.refusal().isPresent()) {
      return Optional.of("The owner is not managed by Kueue: " + of.refusal().get());
    }
    return of.jobs().stream().findFirst().flatMap(it -> notManaged(of, it));
  }

  private static Optional<String> notManaged(Owner owner, JsonNode job) {
    Optional<List<String>> path = owner.remote().flatMap(it -> it.managedBy());
    if (path.isEmpty()) {
      return Optional.empty();
    }
    JsonNode field = job;
    for (String step : path.get()) {
      field = field.path(step);
    }
    String value = field.asText("");
    if (value.equals(Controllers.MULTI_KUEUE)) {
      return Optional.empty();
    }
    String prefix = owner.isExternal() ? "." : "";
    String late =
        value.isEmpty()
            ? "; it was made before its LocalQueue had this check, make the job again"
            : "";
    return Optional.of(
        "The owner is not managed by Kueue: Expecting %s%s to be \"%s\" not \"%s\"%s"
            .formatted(prefix, String.join(".", path.get()), Controllers.MULTI_KUEUE, value, late));
  }

  /** The worker that has run it to its end first, the winner or not. */
  private static Optional<Worker> finishedThere(Context context) {
    return context.workers.stream()
        .filter(it -> finish(it).isPresent())
        .min(
            Comparator.comparing(
                it -> finish(it).flatMap(ManagerWorkload::transition).orElse(Instant.MAX)));
  }

  private static Optional<JsonNode> finish(Worker worker) {
    return worker
        .current()
        .or(worker::stale)
        .flatMap(it -> Conditions.find(it, ConditionTypes.FINISHED))
        .filter(Conditions::isTrue)
        .filter(it -> !NOT_FINISHED.contains(it.path("reason").asText()));
  }

  /** The last status first, then Finished with the worker's words. */
  private static void finish(Context context, Worker worker) {
    if (LastStatus.isAwaited(context, worker) || runsElsewhere(context, worker)) {
      return;
    }
    context.mirror(worker, true);
    worker
        .copy()
        .flatMap(it -> Conditions.find(it, ConditionTypes.FINISHED))
        .ifPresent(
            it ->
                context
                    .workload
                    .finish(it.path("reason").asText(), it.path("message").asText(), context.now)
                    .forEach(context.plan::local));
  }

  /**
   * Whether it runs a second time, which began while the first worker was lost. That is stopped
   * before the quota is free.
   */
  private static boolean runsElsewhere(Context context, Worker finished) {
    boolean runs = false;
    for (Worker other : context.workers) {
      if (other != finished && other.state().isConnected()) {
        Withdrawal.Progress progress =
            context.withdraw(other, true, "the workload has finished on another cluster");
        runs |= progress == Withdrawal.Progress.RUNNING;
      }
    }
    return runs;
  }

  /** The message of the check, at most so often. */
  private static void tell(Context context) {
    PlanBuilder plan = context.plan;
    String sentence = plan.sentence();
    if (sentence.isEmpty() || plan.hasLocalWrites()) {
      return;
    }
    Instant first = context.now.minus(WaitingMessage.INTERVAL).plus(FIRST_TOLD);
    if (plan.isOnlyBeingCreated() && context.now.isBefore(createdBy(context))) {
      plan.memory = plan.memory.told(latest(plan.memory.told(), first));
      plan.again(createdBy(context));
      return;
    }
    if (plan.memory.told().isEmpty()) { // a worker that admits at once costs no message
      plan.memory = plan.memory.told(first);
    }
    Optional<Instant> due =
        WaitingMessage.due(
                context.workload.checkMessage(), sentence, plan.memory.told(), context.now)
            .map(it -> plan.isUndecided() ? it.plus(LOOKED_AT_BY).minus(FIRST_TOLD) : it);
    if (due.isEmpty()) {
      return;
    }
    if (context.now.isBefore(due.get())) {
      plan.again(due.get());
      return;
    }
    plan.local(context.workload.tell(sentence, context.now));
    plan.memory = plan.memory.told(context.now);
  }

  private static Instant createdBy(Context context) {
    return context.workload.offeredSince().map(it -> it.plus(CREATED_BY)).orElse(context.now);
  }

  private static Instant latest(Optional<Instant> one, Instant other) {
    return one.filter(other::isBefore).orElse(other);
  }

  /** What the worker says of a copy that is not admitted. */
  static WaitingReason waiting(JsonNode copy) {
    if (Conditions.isTrue(copy, ConditionTypes.ADMITTED)) {
      return new WaitingReason.Admitted();
    }
    if (!Conditions.isTrue(copy, ConditionTypes.QUOTA_RESERVED)) {
      return new WaitingReason.NoQuota(
          Conditions.find(copy, ConditionTypes.QUOTA_RESERVED)
              .map(it -> it.path("message").asText())
              .orElse(""));
    }
    List<String> checks =
        copy.path("status")
            .path("admissionChecks")
            .valueStream()
            .filter(it -> !it.path("state").asText().equals("Ready"))
            .map(Planner::checkText)
            .toList();
    return new WaitingReason.ChecksPending(checks);
  }

  private static String checkText(JsonNode check) {
    String message = check.path("message").asText("");
    return check.path("name").asText() + (message.isEmpty() ? "" : " (" + message + ")");
  }
}
