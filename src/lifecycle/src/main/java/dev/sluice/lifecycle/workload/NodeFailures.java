package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;

import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.lifecycle.nodes.Health;
import java.util.List;
import java.util.Optional;

/**
 * Nodes that fail under a Workload's pods: one is named in its status, for which the engine looks
 * for another. For several failed nodes the Workload is evicted.
 */
final class NodeFailures {
  private NodeFailures() {}

  static ReconcileStep judged(WorkloadContext context) {
    if (!context.reserved() || !context.isTrue(ADMITTED) || context.isTrue(EVICTED)) {
      return ReconcileStep.REST;
    }
    Health health = context.dependencies().health(context.workload(), context.now());
    List<UnhealthyNode> failed = health.failed().stream().map(UnhealthyNode::new).toList();
    if (failed.size() > 1) {
      return ReservationStep.evicted(
          context,
          Reasons.NODE_FAILURES,
          "Workload eviction triggered due to multiple TAS assigned node failures, including: "
              + String.join(", ", health.failed()));
    }
    boolean told = failed.equals(context.workload().status().unhealthyNodes());
    return new ReconcileStep(
        told ? Optional.empty() : Optional.of(context.edit().unhealthyNodes(failed).build()),
        health.stranded(),
        List.of(),
        health.again());
  }
}
