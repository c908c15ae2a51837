package dev.sluice.cli.replay;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.recording.RecordedOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What people see of a decision: whether two worlds show the same one.
 *
 * @param kind reserved, preempting, waiting, ...
 * @param victims who is evicted for it
 * @param flavors of each PodSet that gets them
 * @param reason why it has no quota; empty where it has
 */
record Shown(
    ObjectKey workload, String kind, Set<ObjectKey> victims, List<Flavors> flavors, String reason) {
  /** The flavors of a PodSet by resource. */
  record Flavors(String podSet, int count, Map<String, String> byResource) {
    Flavors renamed(UnaryOperator<String> names) {
      Map<String, String> renamed = new TreeMap<>();
      byResource.forEach((resource, flavor) -> renamed.put(resource, names.apply(flavor)));
      return new Flavors(names.apply(podSet), count, renamed);
    }
  }

  static Shown of(Outcome outcome) {
    Decision decision = outcome.decision();
    return new Shown(
        outcome.workload(),
        decision.getClass().getSimpleName(),
        new TreeSet<>(RecordedOutcome.victims(decision)),
        decision instanceof Decision.Reserved(var assignment, _) ? flavors(assignment) : List.of(),
        reason(decision));
  }

  private static String reason(Decision decision) {
    return switch (decision) {
      case Decision.Waiting(var assignment) -> assignment.reason().text();
      case Decision.Refused(var reason, var cause, _) -> reason.text() + " " + cause;
      default -> "";
    };
  }

  private static List<Flavors> flavors(Assignment assignment) {
    List<Flavors> all = new ArrayList<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      var flavors = new TreeMap<String, String>();
      podSet.flavors().forEach((resource, flavor) -> flavors.put(resource, flavor.flavor()));
      all.add(new Flavors(podSet.name(), podSet.count(), flavors));
    }
    return all;
  }
}
