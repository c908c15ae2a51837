package dev.sluice.scheduler.engine;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the result of a cycle into the status updates to store. */
final class StatusUpdates {
  private StatusUpdates() {}

  /**
   * The updates to store; the victims of a preemption come before the Workload they make room for.
   */
  static List<StatusUpdate> of(CycleResult result) {
    List<StatusUpdate> updates = new ArrayList<>();
    result.outcomes().forEach(outcome -> add(outcome, updates));
    return updates;
  }

  private static void add(Outcome outcome, List<StatusUpdate> updates) {
    StatusChange head = outcome.change();
    boolean hadQuota = head.before().holdsQuota();
    switch (outcome.decision()) {
      case Decision.Reserved _ ->
          addHead(
              hadQuota ? Kind.PLACED : Kind.RESERVED,
              outcome,
              List.of(),
              replaced(outcome.others()),
              updates);
      case Decision.Displaced _ -> addHead(Kind.EVICTED, outcome, List.of(), null, updates);
      default -> {
        List<String> preemptions = addEvicted(outcome, updates);
        if (hadQuota) {
          updates.add(unplaced(outcome, preemptions));
        }
        addHead(Kind.PENDING, outcome, preemptions, null, updates);
      }
    }
  }

  private static void addHead(
      Kind kind,
      Outcome outcome,
      List<String> preemptions,
      @Nullable StatusUpdate then,
      List<StatusUpdate> updates) {
    if (outcome.change().isReal() || !preemptions.isEmpty()) {
      updates.add(update(kind, outcome.change(), outcome.clusterQueue(), preemptions, "", then));
    }
  }

  /** The slice that the head replaces ends once the head's reservation is stored. */
  private static @Nullable StatusUpdate replaced(List<StatusChange> others) {
    return others.stream()
        .filter(StatusChange::isReal)
        .findFirst()
        .map(
            slice -> update(Kind.REPLACED, slice, slice.before().reservedIn(), List.of(), "", null))
        .orElse(null);
  }

  /** Adds the Workloads that are evicted for the head; answers a sentence for each victim. */
  private static List<String> addEvicted(Outcome outcome, List<StatusUpdate> updates) {
    boolean preempts = outcome.decision() instanceof Decision.Preempting;
    List<String> preemptions = new ArrayList<>();
    for (StatusChange victim : outcome.others()) {
      if (victim.isReal()) {
        String queue = victim.before().reservedIn();
        String priorities = preempts ? priorities(outcome.change().before(), victim.before()) : "";
        updates.add(update(Kind.EVICTED, victim, queue, List.of(), priorities, null));
        if (preempts) {
          preemptions.add(
              "Preempted workload %s (UID: %s) in ClusterQueue %s; %s"
                  .formatted(victim.workload(), victim.after().uid(), queue, priorities));
        }
      }
    }
    return preemptions;
  }

  private static StatusUpdate unplaced(Outcome outcome, List<String> preemptions) {
    Workload workload = outcome.change().after().workload();
    List<String> sentences = new ArrayList<>(preemptions);
    sentences.add(DecisionMessages.of(outcome.decision()));
    return new StatusUpdate(
        Kind.UNPLACED, workload, workload, outcome.clusterQueue(), sentences, "");
  }

  private static String priorities(WorkloadState preemptor, WorkloadState preemptee) {
    return "preemptor %s; preemptee %s".formatted(priority(preemptor), priority(preemptee));
  }

  private static String priority(WorkloadState state) {
    Integer stated = state.workload().spec().priority();
    int base = stated == null ? 0 : stated;
    return "effective priority: %d (base: %d, boost: %d)"
        .formatted(state.priority(), base, state.priority() - base);
  }

  private static StatusUpdate update(
      Kind kind,
      StatusChange change,
      String clusterQueue,
      List<String> preemptions,
      String priorities,
      @Nullable StatusUpdate then) {
    Workload before = change.before().workload();
    Workload after = change.after().workload();
    return new StatusUpdate(
        kind,
        before,
        kind == Kind.PLACED ? PlacedQuota.of(before, after) : after,
        clusterQueue,
        preemptions,
        priorities,
        then);
  }
}
