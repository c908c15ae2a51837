package dev.sluice.quota.recording;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.decision.Target;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An outcome as a recording has it.
 *
 * @param decision what people read of it
 * @param digest of the whole decision and of each status that it changed
 */
public record RecordedOutcome(
    String clusterQueue, ObjectKey workload, String decision, Outcome.Place place, int digest) {
  /** What is recorded of that outcome. */
  public static RecordedOutcome of(Outcome outcome) {
    Decision decision = outcome.decision();
    return new RecordedOutcome(
        outcome.clusterQueue(),
        outcome.workload(),
        text(decision),
        outcome.place(),
        digest(outcome));
  }

  /** Numbers are those of the texts: hash codes of enums and identities differ in each process. */
  private static int digest(Outcome outcome) {
    int digest = hash(outcome.decision().toString(), outcome.place().name().hashCode());
    digest = hash(status(outcome.change()), digest);
    for (StatusChange other : outcome.others()) {
      digest = hash(other.workload().toString(), digest);
      digest = hash(status(other), digest);
    }
    return digest;
  }

  private static String status(StatusChange change) {
    return change.isReal() ? change.after().workload().status().toString() : "";
  }

  private static int hash(String text, int before) {
    int mixed = 31 * before + text.hashCode();
    mixed *= 0x85ebca6b;
    return mixed ^ (mixed >>> 15);
  }

  /** The workloads that the decision evicts; empty for most. */
  public static List<ObjectKey> victims(Decision decision) {
    return decision instanceof Decision.Preempting(_, var targets)
        ? targets.stream().map(Target::workload).toList()
        : List.of();
  }

  private static String text(Decision decision) {
    return switch (decision) {
      case Decision.Reserved(var assignment, _) -> "Reserved " + flavors(assignment);
      case Decision.Preempting(var assignment, var targets) ->
          "Preempting " + targets(targets) + " for " + flavors(assignment);
      case Decision.Deferred _ -> "Deferred";
      case Decision.Waiting(var assignment) -> "Waiting " + assignment.reason().text();
      case Decision.Looping(_, var other) -> "Looping with " + other.workload();
      case Decision.Gated(_, var targets) -> "Gated " + targets(targets);
      case Decision.Skipped(_, var because) -> "Skipped " + because;
      case Decision.Migrating(_, var sibling) -> "Migrating from " + sibling;
      case Decision.KeptBack(_, var sibling) -> "KeptBack beside " + sibling;
      case Decision.Blocked _ -> "Blocked";
      case Decision.Displaced(_, var nodes) -> "Displaced from " + nodes;
      case Decision.Refused(_, var cause, _) -> "Refused " + cause;
    };
  }

  private static String targets(List<Target> targets) {
    return targets.stream()
        .map(it -> it.workload() + " " + it.why().text())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String flavors(Assignment assignment) {
    StringJoiner all = new StringJoiner(", ", "{", "}");
    for (AssignedPodSet podSet : assignment.podSets()) {
      var flavors = new TreeMap<String, String>();
      podSet.flavors().forEach((resource, flavor) -> flavors.put(resource, flavor.flavor()));
      all.add(podSet.name() + " x" + podSet.count() + " " + flavors);
    }
    return all.toString();
  }

  /** The workload, its ClusterQueue and the decision, as a line for people. */
  @Override
  public String toString() {
    return workload + " in " + clusterQueue + ": " + decision + " (" + place + ")";
  }
}
