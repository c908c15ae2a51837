package dev.sluice.webhook.fence;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reservation in a review.
 *
 * @param now the Workload with it
 * @param old the stored state; null if it has no quota
 * @param base the version of the stored state
 * @param isTrial whether it will not be stored, whatever the answer
 * @param callerIsKnown whether the caller is known to be the API server
 */
record ReservationRequest(
    WorkloadState now,
    @Nullable WorkloadState old,
    long base,
    boolean isTrial,
    boolean callerIsKnown) {

  String clusterQueue() {
    return now.reservedIn();
  }

  /** The pairs of which the Workload requests more than it has. */
  List<FlavorResource> wanted() {
    Usage before =
        old != null && old.reservedIn().equals(clusterQueue()) ? old.usage() : Usage.NONE;
    return now.usage().beyond(before).withoutZeros().keys();
  }

  /** What it would take of that tree. */
  Reservation reservation(TreeShape shape) {
    Map<FlavorResource, Long> counted = new LinkedHashMap<>();
    now.usage()
        .forEach(
            (pair, amount) -> {
              if (amount > 0 && shape.column(pair) != TreeShape.NOWHERE) {
                counted.put(pair, amount);
              }
            });
    return new Reservation(now.key(), now.uid(), base, clusterQueue(), Usage.of(counted));
  }
}
