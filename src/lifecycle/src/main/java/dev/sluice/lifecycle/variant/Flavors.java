package dev.sluice.lifecycle.variant;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ConcurrentAdmissionMigrationConstraints;
import dev.sluice.api.queue.ConcurrentAdmissionMigrationMode;
import dev.sluice.api.queue.ConcurrentAdmissionPolicy;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.workload.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The flavors of a ClusterQueue, the most preferred first, and to which of them Workloads migrate.
 *
 * @param names the flavors of its first resource group
 * @param retains whether the first admission stays
 * @param last the last flavor to migrate to; null for any
 */
record Flavors(List<String> names, boolean retains, @Nullable String last) {
  Flavors {
    names = List.copyOf(names);
  }

  static Flavors of(Optional<ClusterQueue> queue) {
    List<String> names =
        queue.map(it -> it.spec().resourceGroups()).orElse(List.of()).stream()
            .limit(1)
            .flatMap(it -> it.flavors().stream())
            .map(FlavorQuotas::name)
            .toList();
    ConcurrentAdmissionPolicy policy =
        queue.isEmpty() ? null : queue.get().spec().concurrentAdmissionPolicy();
    ConcurrentAdmissionMigrationConstraints constraints =
        policy == null ? null : policy.migration().constraints();
    return new Flavors(
        names,
        policy != null
            && policy.migration().mode() == ConcurrentAdmissionMigrationMode.RETAIN_FIRST_ADMISSION,
        constraints == null ? null : constraints.lastAcceptableFlavorName());
  }

  /** The position of the flavor; behind all others if it is none of these. */
  int rank(String flavor) {
    int index = names.indexOf(flavor);
    return index < 0 ? names.size() : index;
  }

  /** The admitted variant; of several the one on the most preferred flavor. */
  Optional<Workload> admitted(List<Workload> variants) {
    return variants.stream()
        .filter(Variants::isAdmitted)
        .min(Comparator.comparingInt(it -> rank(Variants.flavor(it))));
  }

  /** Whether a Workload that runs on one flavor migrates to the other once that fits. */
  boolean isBetter(String flavor, String running) {
    boolean acceptable = last == null || last.isEmpty() || rank(flavor) <= rank(last);
    return !retains && acceptable && rank(flavor) < rank(running);
  }
}
