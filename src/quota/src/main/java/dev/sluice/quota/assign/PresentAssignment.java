package dev.sluice.quota.assign;

import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.FlavorMode;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.topology.AssignmentCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The flavors that a workload already has, read from its admission. A second pass only searches
 * places.
 */
final class PresentAssignment {
  private PresentAssignment() {}

  /** Its admission, which needs no additional quota. */
  static Assignment assignment(Head head) {
    Admission admission = head.workload().admission();
    List<AssignedPodSet> podSets = new ArrayList<>();
    if (admission != null) {
      admission.podSetAssignments().forEach(a -> podSets.add(podSet(head, a)));
    }
    return new Assignment(podSets, Mode.FIT, Usage.NONE, PendingReason.WAITING_FOR_QUOTA);
  }

  private static AssignedPodSet podSet(Head head, PodSetAssignment assignment) {
    Map<String, Long> requests = new HashMap<>();
    assignment
        .resourceUsage()
        .forEach(
            (resource, quantity) -> requests.put(resource, Amount.requested(resource, quantity)));
    Map<String, AssignedFlavor> flavors = new HashMap<>();
    assignment
        .flavors()
        .forEach(
            (resource, flavor) ->
                flavors.put(
                    resource,
                    new AssignedFlavor(flavor, FlavorMode.FIT, 0, AssignedFlavor.SAW_ALL)));
    return new AssignedPodSet(
        assignment.name(),
        count(head, assignment),
        requests,
        flavors,
        List.of(),
        false,
        podSet(head, assignment.name())
            .map(it -> AssignmentCodec.decode(assignment, it))
            .orElse(null),
        assignment.delayedTopologyRequest());
  }

  private static int count(Head head, PodSetAssignment assignment) {
    Integer count = assignment.count();
    return count != null ? count : podSet(head, assignment.name()).map(PodSet::count).orElse(0);
  }

  private static Optional<PodSet> podSet(Head head, String name) {
    return head.workload().workload().spec().podSets().stream()
        .filter(p -> p.name().equals(name))
        .findFirst();
  }
}
