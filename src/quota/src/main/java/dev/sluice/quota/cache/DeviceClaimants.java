package dev.sluice.quota.cache;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.pod.PodResourceClaim;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The workloads whose pods claim devices, by the ResourceClaimTemplate they name. For one thread.
 */
final class DeviceClaimants {
  private final ForkableIndex<ObjectKey, ObjectKey> byTemplate;

  DeviceClaimants() {
    this(new ForkableIndex<>());
  }

  private DeviceClaimants(ForkableIndex<ObjectKey, ObjectKey> byTemplate) {
    this.byTemplate = byTemplate;
  }

  /** A copy with the same workloads that changes independently. */
  DeviceClaimants fork() {
    return new DeviceClaimants(byTemplate.fork());
  }

  void add(WorkloadState workload) {
    for (ObjectKey template : templates(workload)) {
      byTemplate.add(template, workload.key());
    }
  }

  void remove(WorkloadState workload) {
    for (ObjectKey template : templates(workload)) {
      byTemplate.remove(template, workload.key());
    }
  }

  /** Those that name the template, in order. */
  List<ObjectKey> of(ObjectKey template) {
    return byTemplate.of(template);
  }

  private static Set<ObjectKey> templates(WorkloadState workload) {
    Set<ObjectKey> templates = Set.of();
    for (PodSet podSet : workload.workload().spec().podSets()) {
      for (PodResourceClaim claim : podSet.template().spec().resourceClaims()) {
        String name = claim.resourceClaimTemplateName();
        if (name != null) {
          templates = templates.isEmpty() ? new TreeSet<>() : templates;
          templates.add(new ObjectKey(workload.key().namespace(), name));
        }
      }
    }
    return templates;
  }
}
