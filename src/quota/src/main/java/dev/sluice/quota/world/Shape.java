package dev.sluice.quota.world;

import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.request.PodSetRequests;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of a workload that a verdict of "does not fit" depends on: workloads of one queue with equal
 * shapes get the same verdict (reference: 3.7). Names of containers and the like do not count.
 */
public record Shape(List<PodShape> podSets, long priority, String allowedFlavors) {
  record PodShape(
      String name,
      PodSpec pod,
      PodSetRequests requests,
      @Nullable Integer minCount,
      @Nullable TopologyRequest topology) {}

  static Shape of(
      List<PodSet> podSets, List<PodSetRequests> requests, long priority, String allowedFlavors) {
    List<PodShape> shapes = new ArrayList<>();
    for (int i = 0; i < podSets.size(); i++) {
      PodSet podSet = podSets.get(i);
      shapes.add(
          new PodShape(
              podSet.name(),
              schedulingPart(podSet.template().spec()),
              requests.get(i),
              podSet.minCount(),
              podSet.topologyRequest()));
    }
    return new Shape(List.copyOf(shapes), priority, allowedFlavors);
  }

  PodSpec pod(int podSet) {
    return podSets.get(podSet).pod();
  }

  /** What each PodSet asks for, in their order. */
  List<PodSetRequests> requests() {
    return podSets.stream().map(PodShape::requests).toList();
  }

  private static PodSpec schedulingPart(PodSpec pod) {
    return new PodSpec(
        nameless(pod.containers()),
        nameless(pod.initContainers()),
        pod.resources(),
        pod.overhead(),
        pod.runtimeClassName(),
        pod.nodeSelector(),
        pod.affinity(),
        pod.tolerations(),
        pod.topologySpreadConstraints(),
        null,
        pod.priority(),
        null,
        null,
        List.of(),
        pod.resourceClaims());
  }

  private static List<Container> nameless(List<Container> containers) {
    return containers.stream()
        .map(c -> new Container("", c.resources(), c.restartPolicy()))
        .toList();
  }
}
