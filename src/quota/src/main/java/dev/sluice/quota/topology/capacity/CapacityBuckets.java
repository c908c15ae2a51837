package dev.sluice.quota.topology.capacity;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.ResourceNumbers;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one bucket of each domain, and what placed pods take of the buckets. Many threads may ask for
 * buckets; {@link #forget} is for the thread that changes the cache.
 */
final class CapacityBuckets {
  private final boolean sharesHosts;
  private final ResourceNumbers resources;
  private final ForkableMap<CapacityBucket.Name, CapacityBucket> byName;

  /**
   * None yet.
   *
   * @param sharesHosts whether a node that several flavors have is the same place for all of them
   */
  CapacityBuckets(boolean sharesHosts, ResourceNumbers resources) {
    this(sharesHosts, resources, new ForkableMap<>());
  }

  private CapacityBuckets(
      boolean sharesHosts,
      ResourceNumbers resources,
      ForkableMap<CapacityBucket.Name, CapacityBucket> byName) {
    this.sharesHosts = sharesHosts;
    this.resources = resources;
    this.byName = byName;
  }

  /** The same buckets; those that are new in one of the two are not those of the other. */
  CapacityBuckets fork() {
    synchronized (byName) {
      return new CapacityBuckets(sharesHosts, resources, byName.fork());
    }
  }

  /** What the pods of the workload take in the places of the admission. */
  List<Taking> takings(WorkloadState workload, Admission admission) {
    List<Taking> takings = new ArrayList<>();
    List<PodSet> podSets = workload.workload().spec().podSets();
    boolean mayShrink = workload.isElastic();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      for (int i = 0; i < podSets.size(); i++) {
        PodSet podSet = podSets.get(i);
        PodPlacement placement =
            podSet.name().equals(assignment.name()) ? places(assignment, podSet, mayShrink) : null;
        if (placement != null) {
          Requests perPod = workload.podRequests(i);
          for (String flavor : flavorsOf(assignment, placement)) {
            takings.addAll(takings(flavor, placement, perPod));
          }
        }
      }
    }
    return takings;
  }

  /** Only an elastic job shrinks while it has its places. */
  private static @Nullable PodPlacement places(
      PodSetAssignment assignment, PodSet podSet, boolean mayShrink) {
    return mayShrink
        ? AssignmentCodec.held(assignment, podSet)
        : AssignmentCodec.decode(assignment, podSet);
  }

  /** One is enough where all share the nodes. */
  private Collection<String> flavorsOf(PodSetAssignment assignment, PodPlacement placement) {
    return sharesHosts && placement.onHosts()
        ? List.of("")
        : new TreeSet<>(assignment.flavors().values());
  }

  /** What pods that request that much each take in the places. */
  List<Taking> takings(String flavor, PodPlacement placement, Requests perPod) {
    long[] one = resources.vector(ResourceNumbers.perPod(perPod));
    List<Taking> takings = new ArrayList<>();
    for (PodPlacement.Domain domain : placement.domains()) {
      if (domain.values().size() == placement.levels().size() && domain.pods() > 0) {
        CapacityBucket bin = of(flavor, placement.levels(), domain.values());
        takings.add(new Taking(bin, ResourceNumbers.plus(new long[0], one, domain.pods())));
      }
    }
    return takings;
  }

  /** The bucket of a domain; a host may be that of another flavor, too. */
  CapacityBucket of(String flavor, List<String> levels, List<String> values) {
    boolean host = levels.getLast().equals(Levels.HOSTNAME);
    var name =
        host
            ? new CapacityBucket.Name(
                sharesHosts ? "" : flavor, List.of(Levels.HOSTNAME), List.of(values.getLast()))
            : new CapacityBucket.Name(flavor, levels, values);
    synchronized (byName) {
      CapacityBucket known = byName.get(name);
      if (known == null) {
        known = new CapacityBucket(name);
        byName.put(name, known);
      }
      return known;
    }
  }

  /** Forgets those that are in no domain of these flavors, and that nothing is taken of. */
  void forget(Collection<FlavorTopology> sites, TopologyUsage room) {
    Set<CapacityBucket> inUse = new HashSet<>();
    for (FlavorTopology site : sites) {
      site.forest().leaves().forEach(leaf -> inUse.add(leaf.bin()));
    }
    synchronized (byName) {
      List<CapacityBucket> unused = new ArrayList<>();
      byName.forEach(
          (_, bin) -> {
            if (!inUse.contains(bin) && !room.uses(bin)) {
              unused.add(bin);
            }
          });
      unused.forEach(bin -> byName.remove(bin.name()));
    }
  }
}
