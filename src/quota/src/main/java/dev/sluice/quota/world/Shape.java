package dev.sluice.quota.world;

import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.request.PodSetRequests;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a workload that decides whether it fits: workloads of one queue with equal
 * shapes get the same decision. Names of containers do not count.
 */
public final class Shape {
  private record PodShape(
      String name,
      SchedulingPart pod,
      @Nullable Integer minCount,
      @Nullable TopologyRequest topology) {}

  private final List<PodShape> podSets;
  private final List<PodSetRequests> requests;
  private final long priority;
  private final String allowedFlavors;
  private final String replaced;
  private final int number;

  private Shape(
      List<PodShape> podSets,
      List<PodSetRequests> requests,
      long priority,
      String allowedFlavors,
      String replaced,
      int number) {
    this.podSets = podSets;
    this.requests = requests;
    this.priority = priority;
    this.allowedFlavors = allowedFlavors;
    this.replaced = replaced;
    this.number = number;
  }

  /**
   * The shape of a workload.
   *
   * @param replaced the slice of an elastic job that it replaces, of which it keeps the flavors and
   *     needs only what it has more; empty for none
   * @param number identifies a new shape
   */
  static Shape of(
      List<PodSet> podSets,
      List<PodSetRequests> requests,
      long priority,
      String allowedFlavors,
      String replaced,
      int number) {
    List<PodShape> shapes = new ArrayList<>();
    for (PodSet podSet : podSets) {
      shapes.add(
          new PodShape(
              podSet.name(),
              new SchedulingPart(podSet.template().spec()),
              podSet.minCount(),
              podSet.topologyRequest()));
    }
    return new Shape(
        List.copyOf(shapes), List.copyOf(requests), priority, allowedFlavors, replaced, number);
  }

  PodSpec pod(int podSet) {
    return podSets.get(podSet).pod().spec();
  }

  int podSets() {
    return podSets.size();
  }

  /** What each PodSet asks for, in their order. */
  List<PodSetRequests> requests() {
    return requests;
  }

  /** Identifies the shape among those that one reader has read and that are still used. */
  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof Shape that
            && podSets.equals(that.podSets)
            && requests.equals(that.requests)
            && priority == that.priority
            && allowedFlavors.equals(that.allowedFlavors)
            && replaced.equals(that.replaced));
  }

  @Override
  public int hashCode() {
    int hash = 31 * podSets.hashCode() + requests.hashCode();
    hash = 31 * (31 * hash + Long.hashCode(priority)) + allowedFlavors.hashCode();
    return 31 * hash + replaced.hashCode();
  }
}
