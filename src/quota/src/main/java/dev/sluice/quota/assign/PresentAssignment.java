package dev.sluice.quota.assign;

import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.FlavorMode;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.request.RequestReader;
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
    PodSetRequests requests = requests(head, assignment);
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
        requests.count(),
        requests.total().asMap(),
        flavors,
        List.of(),
        false,
        podSet(head, assignment.name())
            .map(it -> AssignmentCodec.decode(assignment, it))
            .orElse(null),
        assignment.delayedTopologyRequest());
  }

  /**
   * What the pods take that still need places: those of the assignment but for reclaimable ones. A
   * set that has its places keeps them all.
   */
  private static PodSetRequests requests(Head head, PodSetAssignment assignment) {
    int count = count(head, assignment);
    var assigned = new PodSetRequests(assignment.name(), count, RequestReader.usage(assignment));
    int wanted = assignment.topologyAssignment() == null ? wanted(head, assignment.name()) : count;
    return wanted < count ? assigned.scaledTo(wanted) : assigned;
  }

  /** All pods of the set but for reclaimable ones. */
  private static int wanted(Head head, String podSet) {
    return head.workload().requests().stream()
        .filter(it -> it.name().equals(podSet))
        .mapToInt(PodSetRequests::count)
        .findFirst()
        .orElse(Integer.MAX_VALUE);
  }

  private static int count(Head head, PodSetAssignment assignment) {
    Integer count = assignment.count();
    return count != null
        ? Math.max(0, count)
        : podSet(head, assignment.name()).map(PodSet::count).orElse(0);
  }

  private static Optional<PodSet> podSet(Head head, String name) {
    return head.workload().workload().spec().podSets().stream()
        .filter(p -> p.name().equals(name))
        .findFirst();
  }
}
