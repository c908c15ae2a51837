package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.node.LongNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rules of topology assignments: possible places, and the right number. The cost depends on the
 * compressed size, not on the number of pods.
 */
final class PlacementRules {
  private PlacementRules() {}

  /**
   * Checks the places.
   *
   * @param podSets those of the new object, by name, which both the new and the old places are held
   *     against: so the fault of a stored assignment is the same one when only the spec changes
   */
  static void check(Field root, Map<String, Field> podSets, ValidationResult findings) {
    for (Field assignment : new WorkloadView(root).assignments()) {
      Field topology = assignment.child("topologyAssignment");
      if (topology.isPresent()) {
        problem(assignment, topology, podSets.get(WorkloadView.name(assignment)))
            .ifPresent(findings::add);
      }
    }
  }

  private static Optional<FieldError> problem(
      Field assignment, Field topology, @Nullable Field podSet) {
    try {
      return problem(assignment, HubObjects.read(TopologyAssignment.class, topology.node()), podSet)
          .map(it -> violation(topology, it));
    } catch (MalformedObjectException e) {
      return Optional.of(
          FieldError.invalid(topology.path() + "." + e.field(), null, "has not the schema's type"));
    }
  }

  private static Optional<ImpossiblePlacement> problem(
      Field assignment, TopologyAssignment topology, @Nullable Field podSet) {
    Optional<Long> pods =
        assignment
            .child("count")
            .integer()
            .or(() -> Optional.ofNullable(podSet).map(WorkloadView::count));
    return pods.isEmpty()
        ? ImpossiblePlacement.of(topology)
        : ImpossiblePlacement.of(
            topology,
            pods.get(),
            podSet == null ? null : request(podSet),
            assignment
                .child("delayedTopologyRequest")
                .text()
                .filter(DelayedTopologyRequestState.READY.text()::equals)
                .isPresent());
  }

  private static @Nullable TopologyRequest request(Field podSet) {
    Field request = podSet.child("topologyRequest");
    try {
      return request.isPresent() ? HubObjects.read(TopologyRequest.class, request.node()) : null;
    } catch (MalformedObjectException _) {
      return null; // the schema says so
    }
  }

  private static FieldError violation(Field topology, ImpossiblePlacement problem) {
    Long value = problem.value();
    return FieldError.invalid(
        topology.path() + "." + problem.field(),
        value == null ? null : LongNode.valueOf(value),
        problem.problem());
  }
}
