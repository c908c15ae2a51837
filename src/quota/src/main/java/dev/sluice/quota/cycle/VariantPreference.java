package dev.sluice.quota.cycle;

import dev.sluice.api.queue.ConcurrentAdmissionMigrationConstraints;
import dev.sluice.api.queue.ConcurrentAdmissionMigrationMode;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;
import java.util.Set;

/** Which flavors of its ClusterQueue a variant of a Workload prefers to those of its sibling. */
final class VariantPreference {
  private VariantPreference() {}

  /** Whether the sibling holds a flavor that comes before what the head may have. */
  static boolean isBetter(WorkloadState sibling, Head head) {
    List<String> order = flavorOrder(head.rules());
    return rank(order, sibling.allowedFlavors()) < rank(order, head.workload().allowedFlavors());
  }

  private static List<String> flavorOrder(QueueRules rules) {
    return rules.groups().isEmpty() ? List.of() : rules.groups().getFirst().flavors();
  }

  private static int rank(List<String> order, Set<String> flavors) {
    int best = order.size();
    for (String flavor : flavors) {
      int index = order.indexOf(flavor);
      best = index < 0 ? best : Math.min(best, index);
    }
    return best;
  }

  /** Whether Workloads migrate, and the head's flavors come no later than the last one worth it. */
  static boolean mayMigrate(Head head) {
    var policy = head.rules().concurrentAdmission();
    ConcurrentAdmissionMigrationConstraints constraints =
        policy == null ? null : policy.migration().constraints();
    String last = constraints == null ? null : constraints.lastAcceptableFlavorName();
    List<String> order = flavorOrder(head.rules());
    if (policy != null
        && policy.migration().mode() == ConcurrentAdmissionMigrationMode.RETAIN_FIRST_ADMISSION) {
      return false;
    }
    return last == null
        || rank(order, head.workload().allowedFlavors()) <= rank(order, Set.of(last));
  }
}
