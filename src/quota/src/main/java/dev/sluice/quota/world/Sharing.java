package dev.sluice.quota.world;

import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.PodTemplate;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;

/**
 * Lets workloads share what they have in common: all of their PodSets where these are equal, as
 * those of one CronJob are, and otherwise the parts that seldom differ. For one thread.
 */
final class Sharing {
  private final Canonical<List<PodSet>> podSets = new Canonical<>();
  private final Canonical<ObjectMeta> templates = new Canonical<>();
  private final Canonical<List<Toleration>> tolerations = new Canonical<>();
  private final Canonical<Map<String, String>> selectors = new Canonical<>();

  /** An equal workload. */
  Workload of(Workload workload) {
    WorkloadSpec spec = workload.spec();
    return workload.with(spec.with(podSets.of(spec.podSets(), this::sharingParts)));
  }

  private List<PodSet> sharingParts(List<PodSet> own) {
    return own.stream().map(this::sharingParts).toList();
  }

  private PodSet sharingParts(PodSet podSet) {
    PodTemplate template = podSet.template();
    return podSet.with(
        new PodTemplate(templates.of(template.metadata()), sharingParts(template.spec())));
  }

  private PodSpec sharingParts(PodSpec pod) {
    return new PodSpec(
        pod.containers(),
        pod.initContainers(),
        pod.resources(),
        pod.overhead(),
        pod.runtimeClassName(),
        selectors.of(pod.nodeSelector()),
        pod.affinity(),
        tolerations.of(pod.tolerations()),
        pod.topologySpreadConstraints(),
        pod.priorityClassName(),
        pod.priority(),
        pod.schedulerName(),
        pod.nodeName(),
        pod.schedulingGates(),
        pod.resourceClaims());
  }
}
