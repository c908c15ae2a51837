package dev.sluice.lifecycle.workload;

import dev.sluice.api.queue.AdmissionCheckStrategyRule;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.quota.world.QueueRules;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The checks of a ClusterQueue, listed with a Workload so that each can answer. */
final class ListedChecks {
  private ListedChecks() {}

  static ReconcileStep synced(WorkloadContext context) {
    Optional<ClusterQueue> queue = context.clusterQueue();
    if (queue.isEmpty() || !context.active()) {
      return ReconcileStep.REST; // a queue that comes brings it back here
    }
    List<AdmissionCheckState> listed = context.workload().status().admissionChecks();
    Set<String> wanted = wanted(context, new QueueRules(queue.get()));
    if (wanted.equals(Set.copyOf(listed.stream().map(AdmissionCheckState::name).toList()))) {
      return ReconcileStep.REST;
    }
    List<AdmissionCheckState> next =
        wanted.stream()
            .map(
                name ->
                    listed.stream()
                        .filter(check -> check.name().equals(name))
                        .findFirst()
                        .orElseGet(() -> AdmissionCheckState.pending(name, context.now())))
            .toList();
    return ReconcileStep.status(context.edit().checks(next));
  }

  /** Before it has flavors, the checks that any choice would bring; then those that it brought. */
  static Set<String> wanted(WorkloadContext context, QueueRules rules) {
    Admission admission = context.workload().status().admission();
    if (context.reserved() && admission != null) {
      Set<String> flavors = new HashSet<>();
      admission.podSetAssignments().forEach(a -> flavors.addAll(a.flavors().values()));
      return rules.requiredChecks(flavors);
    }
    Set<String> wanted = new TreeSet<>();
    for (AdmissionCheckStrategyRule check : rules.checks()) {
      if (check.onFlavors().isEmpty() || check.onFlavors().containsAll(rules.flavors())) {
        wanted.add(check.name());
      }
    }
    return wanted;
  }
}
