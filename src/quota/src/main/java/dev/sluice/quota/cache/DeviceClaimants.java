package dev.sluice.quota.cache;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.pod.PodResourceClaim;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The workloads whose pods claim devices, by the ResourceClaimTemplate they name. For one thread.
 */
final class DeviceClaimants {
  private final Map<ObjectKey, Set<ObjectKey>> byTemplate = new HashMap<>();

  void add(WorkloadState workload) {
    for (ObjectKey template : templates(workload)) {
      byTemplate.computeIfAbsent(template, _ -> new TreeSet<>()).add(workload.key());
    }
  }

  void remove(WorkloadState workload) {
    for (ObjectKey template : templates(workload)) {
      byTemplate.computeIfPresent(
          template, (_, own) -> own.remove(workload.key()) && own.isEmpty() ? null : own);
    }
  }

  /** Those that name the template, in order. */
  List<ObjectKey> of(ObjectKey template) {
    return List.copyOf(byTemplate.getOrDefault(template, Set.of()));
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
