package dev.sluice.see.explain;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueueSpec;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.LocalQueueSpec;
import dev.sluice.api.queue.ResourceGroup;
import dev.sluice.api.queue.ResourceQuota;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes of one field of an object, as the engine would receive them. */
final class Edits {
  private Edits() {}

  /** Without a resourceVersion, or the engine would take it for what it knows already. */
  private static Change changed(Workload workload, WorkloadSpec spec) {
    return Change.upserted(
        ObjectKind.WORKLOAD,
        workload.with(workload.metadata().toBuilder().resourceVersion(null).build()).with(spec));
  }

  static Change activated(Workload workload) {
    return changed(workload, workload.spec().toBuilder().active(true).build());
  }

  static Change priority(Workload workload, int priority) {
    return changed(workload, workload.spec().toBuilder().priority(priority).build());
  }

  /** The workload with so many pods, of which none may be left out; it has one PodSet. */
  static Change pods(Workload workload, int count) {
    PodSet old = workload.spec().podSets().getFirst();
    var podSet = new PodSet(old.name(), old.template(), count, null, old.topologyRequest());
    return changed(workload, workload.spec().with(List.of(podSet)));
  }

  static Change opened(LocalQueue queue) {
    LocalQueueSpec old = queue.spec();
    var spec = new LocalQueueSpec(old.clusterQueue(), StopPolicy.NONE, old.fairSharing());
    return Change.upserted(
        ObjectKind.LOCAL_QUEUE, new LocalQueue(queue.metadata(), spec, queue.status()));
  }

  static Change opened(ClusterQueue queue) {
    return changed(queue, queue.spec().resourceGroups(), StopPolicy.NONE);
  }

  /** The ClusterQueue with other quotas for the flavor. */
  static Change quotas(ClusterQueue queue, String flavor, UnaryOperator<ResourceQuota> changes) {
    List<ResourceGroup> groups = new ArrayList<>();
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      List<FlavorQuotas> flavors = new ArrayList<>();
      for (FlavorQuotas quotas : group.flavors()) {
        flavors.add(
            quotas.name().equals(flavor)
                ? new FlavorQuotas(quotas.name(), quotas.resources().stream().map(changes).toList())
                : quotas);
      }
      groups.add(new ResourceGroup(group.coveredResources(), flavors));
    }
    return changed(queue, groups, queue.spec().stopPolicy());
  }

  private static Change changed(ClusterQueue queue, List<ResourceGroup> groups, StopPolicy stop) {
    ClusterQueueSpec old = queue.spec();
    var spec =
        new ClusterQueueSpec(
            groups,
            old.cohortName(),
            old.queueingStrategy(),
            old.namespaceSelector(),
            old.flavorFungibility(),
            old.preemption(),
            old.admissionChecksStrategy(),
            stop,
            old.fairSharing(),
            old.admissionScope(),
            old.concurrentAdmissionPolicy());
    return Change.upserted(
        ObjectKind.CLUSTER_QUEUE, new ClusterQueue(queue.metadata(), spec, queue.status()));
  }
}
