package dev.sluice.quota.condition;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decisions as sentences for people. Where users search for the words of Kueue, the message begins
 * with these.
 */
public final class DecisionMessages {
  private DecisionMessages() {}

  /** Why the workload has no quota, or that it has. */
  public static String of(Decision decision) {
    return switch (decision) {
      case Decision.Reserved _ -> "Quota is reserved";
      case Decision.Preempting(var assignment, var targets) ->
          refusals(assignment) + ". " + pending(targets);
      case Decision.Deferred _ ->
          "Fits as soon as workloads that already have to give way have ended";
      case Decision.Waiting(var assignment) -> refusals(assignment);
      case Decision.Looping(_, var other) ->
          ("Workload %s was made to give way for this one again and again, and came back each time;"
                  + " it is left alone now")
              .formatted(other.workload());
      case Decision.Gated(_, var targets) ->
          "A preemption gate is closed; %d workload(s) would have to give way"
              .formatted(targets.size());
      case Decision.Skipped(_, var because) ->
          switch (because) {
            case OVERLAPPING_TARGETS ->
                "Another workload preempts one that would have to give way for this one";
            case NO_LONGER_FITS ->
                "Another workload took in the same cycle what was free for this one";
            case BETTER_VARIANT -> "A variant with a preferred flavor has quota";
          };
      case Decision.Migrating(_, var sibling) ->
          "The variant " + sibling + " gives way to this one, whose flavor is preferred";
      case Decision.KeptBack(_, var sibling) ->
          "The variant " + sibling + " has quota and this one's flavor is not worth a move";
      case Decision.Blocked _ -> "Pods of admitted workloads are not ready yet";
      case Decision.Displaced(var assignment, var nodes) ->
          "No room for the pods of failed nodes %s: %s"
              .formatted(String.join(", ", nodes), refusals(assignment));
      case Decision.Refused(_, _, var problem) -> problem;
    };
  }

  private static String pending(List<Target> targets) {
    return "Pending the preemption of %d workload(s)".formatted(targets.size());
  }

  private static String refusals(Assignment assignment) {
    List<String> parts = new ArrayList<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      Set<String> reasons = new TreeSet<>();
      podSet.refusals().forEach(refusal -> reasons.add(of(refusal)));
      if (!reasons.isEmpty()) {
        parts.add(
            "couldn't assign flavors to pod set "
                + podSet.name()
                + ": "
                + String.join(", ", reasons));
      }
    }
    return parts.isEmpty() ? "No flavor can serve the workload" : String.join("; ", parts);
  }

  // The frequent refusals are concatenated: parsing their formats took a tenth of a cycle.
  private static String of(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Uncovered(var resource) ->
          "resource " + resource + " is not covered by the ClusterQueue";
      case Refusal.Unsuitable(var flavor, var because) -> "flavor " + flavor + ": " + because;
      case Refusal.TooLarge(var flavor, var resource, var requested, var potential) ->
          "insufficient quota for "
              + resource
              + " in flavor "
              + flavor
              + ", request > maximum capacity ("
              + text(resource, requested)
              + " > "
              + text(resource, potential)
              + ")";
      case Refusal.NoRoom(var flavor, var because, var ever) ->
          "flavor %s has no room%s: %s".formatted(flavor, ever ? ", even when empty" : "", because);
      case Refusal.Lacking(var flavor, var resource, var requested, var free, var scarce) ->
          "insufficient unused quota for "
              + resource
              + " in flavor "
              + flavor
              + ", "
              + text(resource, Amounts.minus(requested, free))
              + " more needed ("
              + text(resource, requested)
              + " requested, "
              + text(resource, free)
              + " free; short in "
              + scarce
              + ")";
    };
  }

  private static String text(String resource, long amount) {
    return new Amount(amount).text(resource);
  }
}
