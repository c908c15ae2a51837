package dev.sluice.lifecycle.workload;

import dev.sluice.api.queue.AdmissionCheckStrategyRule;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.quota.world.QueueRules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The checks of a ClusterQueue, listed with a Workload so that each can answer. */
final class ListedChecks {
  /** Many Workloads have quota before that, and the reservation stores the list. */
  private static final Duration FIRST_LIST = Duration.ofSeconds(2);

  private ListedChecks() {}

  static ReconcileStep synced(WorkloadContext context) {
    Optional<ClusterQueue> queue = context.clusterQueue();
    if (queue.isEmpty()) {
      return ReconcileStep.REST; // a queue that comes brings it back here
    }
    List<AdmissionCheckState> listed = context.workload().status().admissionChecks();
    QueueRules rules = new QueueRules(queue.get());
    Set<String> wanted = new TreeSet<>(wanted(context, rules));
    if (!context.reserved()) {
      wanted.addAll(retried(listed, rules));
    }
    if (wanted.equals(Set.copyOf(listed.stream().map(AdmissionCheckState::name).toList()))) {
      return ReconcileStep.REST;
    }
    Instant created = context.metadata().creationTimestamp();
    if (created != null && listed.isEmpty() && !context.reserved()) {
      Instant first = created.plus(FIRST_LIST);
      if (context.now().isBefore(first)) {
        return ReconcileStep.at(Optional.of(first));
      }
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

  /** A check of some flavors counts its retries, also while the Workload has none. */
  private static List<String> retried(List<AdmissionCheckState> listed, QueueRules rules) {
    return listed.stream()
        .filter(it -> it.retryCount() != null && it.retryCount() > 0)
        .map(AdmissionCheckState::name)
        .filter(name -> rules.checks().stream().anyMatch(it -> it.name().equals(name)))
        .toList();
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
