package dev.sluice.quota.world;

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
 *
 * @param requests what each PodSet asks for, in their order
 */
public record Shape(
    List<PodShape> podSets, List<PodSetRequests> requests, long priority, String allowedFlavors) {
  record PodShape(
      String name,
      SchedulingPart pod,
      @Nullable Integer minCount,
      @Nullable TopologyRequest topology) {}

  static Shape of(
      List<PodSet> podSets, List<PodSetRequests> requests, long priority, String allowedFlavors) {
    List<PodShape> shapes = new ArrayList<>();
    for (PodSet podSet : podSets) {
      shapes.add(
          new PodShape(
              podSet.name(),
              new SchedulingPart(podSet.template().spec()),
              podSet.minCount(),
              podSet.topologyRequest()));
    }
    return new Shape(List.copyOf(shapes), List.copyOf(requests), priority, allowedFlavors);
  }

  PodSpec pod(int podSet) {
    return podSets.get(podSet).pod().spec();
  }
}
