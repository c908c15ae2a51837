package dev.sluice.quota.topology.capacity;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NonTasUsage;
import dev.sluice.quota.topology.node.ResourceNumbers;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The places that workloads hold by their admissions. One thread makes changes; between two changes
 * many threads may read.
 */
final class HeldPlaces {
  /**
   * The places of a workload, with its admission.
   *
   * @param counts the requested pods of each PodSet, which may be fewer than were admitted
   * @param givesWay whether it was evicted
   * @param moving whether it also holds its former places
   */
  record Holding(
      Admission admission,
      List<Integer> counts,
      List<Taking> takings,
      Set<String> flavors,
      boolean givesWay,
      boolean moving) {

    private boolean isFor(@Nullable Admission other, List<Integer> otherCounts) {
      return admission.equals(other) && counts.equals(otherCounts);
    }

    private Holding givingWay(boolean gives) {
      return new Holding(admission, counts, takings, flavors, gives, moving);
    }
  }

  private final CapacityBuckets bins;
  private final TopologyUsage room;
  private final NonTasUsage others;
  private final Collection<FlavorTopology> sites;
  private final Consumer<String> roomier;
  private final Overbookings overbookings;
  private final ForkableMap<ObjectKey, Holding> held;
  private final ForkableMap<ObjectKey, ObjectKey> firsts;
  private final ForkableIndex<ObjectKey, ObjectKey> successors;

  /**
   * Nothing is held yet. Keeps live views of its arguments.
   *
   * @param room changes with what is held
   * @param others receives the workloads whose places change, because it depends on those places
   * @param roomier receives the flavors in which there is more room now
   */
  HeldPlaces(
      CapacityBuckets bins,
      TopologyUsage room,
      NonTasUsage others,
      Collection<FlavorTopology> sites,
      Consumer<String> roomier) {
    this.bins = bins;
    this.room = room;
    this.others = others;
    this.sites = sites;
    this.roomier = roomier;
    this.held = new ForkableMap<>();
    this.firsts = new ForkableMap<>();
    this.successors = new ForkableIndex<>();
    this.overbookings = new Overbookings(sites, room, held);
  }

  private HeldPlaces(
      HeldPlaces other,
      CapacityBuckets bins,
      TopologyUsage room,
      NonTasUsage others,
      Collection<FlavorTopology> sites,
      Consumer<String> roomier) {
    this.bins = bins;
    this.room = room;
    this.others = others;
    this.sites = sites;
    this.roomier = roomier;
    this.held = other.held.fork();
    this.firsts = other.firsts.fork();
    this.successors = other.successors.fork();
    this.overbookings = other.overbookings.fork(sites, room, held);
  }

  /** The same places between those parts, which are forks of the parts around this one. */
  HeldPlaces fork(
      CapacityBuckets otherBins,
      TopologyUsage otherRoom,
      NonTasUsage otherOthers,
      Collection<FlavorTopology> otherSites,
      Consumer<String> otherRoomier) {
    return new HeldPlaces(this, otherBins, otherRoom, otherOthers, otherSites, otherRoomier);
  }

  /** See {@link TopologyCache#hold}. */
  void hold(WorkloadState workload, boolean open) {
    Admission admission = workload.holdsQuota() ? workload.admission() : null;
    Holding before = held.get(workload.key());
    List<Integer> counts = counts(workload);
    boolean settled = before != null && before.moving() && !open;
    if (before != null && !settled && before.isFor(admission, counts)) {
      if (before.givesWay() != workload.evicted()) {
        held.put(workload.key(), before.givingWay(workload.evicted()));
      }
      return;
    }
    release(workload.key());
    if (admission != null) {
      List<Taking> takings = bins.takings(workload, admission);
      if (!takings.isEmpty()) {
        Set<String> names = new TreeSet<>();
        admission.podSetAssignments().forEach(a -> names.addAll(a.flavors().values()));
        List<Taking> left = open && before != null ? before.takings() : List.of();
        boolean moving = !left.isEmpty();
        takings = moving ? most(takings, left) : takings;
        held.put(
            workload.key(),
            new Holding(admission, counts, takings, names, workload.evicted(), moving));
        join(workload);
        takings.forEach(t -> room.add(t.bin(), t.amounts(), 1));
        List<Taking> had = new ArrayList<>(before == null ? List.of() : before.takings());
        had.addAll(heldByRow(workload));
        overbookings.look(workload.key(), takings, had);
      }
    }
  }

  private static List<Integer> counts(WorkloadState workload) {
    return workload.workload().spec().podSets().stream().map(PodSet::count).toList();
  }

  /** What the workload holds. */
  Collection<Taking> by(ObjectKey workload) {
    Holding holding = held.get(workload);
    return holding == null ? List.of() : holding.takings();
  }

  /** What the workload, or those that took over from it, hold on the host. */
  long @Nullable [] on(ObjectKey workload, String host) {
    long[] sum = null;
    for (ObjectKey holder : row(workload)) {
      for (Taking taking : by(holder)) {
        if (taking.bin().name().values().getLast().equals(host)) {
          sum = ResourceNumbers.plus(sum == null ? new long[0] : sum, taking.amounts(), 1);
        }
      }
    }
    return sum;
  }

  /** The workload and those that took over from it. */
  private List<ObjectKey> row(ObjectKey first) {
    return successors.containsKey(first) ? successors.of(first) : List.of(first);
  }

  /** The workload releases its places. */
  void release(ObjectKey workload) {
    others.held(workload);
    part(workload);
    Holding before = held.remove(workload);
    if (before != null) {
      before.takings().forEach(t -> room.add(t.bin(), t.amounts(), -1));
      markFreed(before);
    }
  }

  /** One sentence for each domain that a workload was placed in beyond what its nodes have. */
  List<String> overbooked() {
    return overbookings.sentences();
  }

  /** What is enough for either, place by place. */
  private static List<Taking> most(List<Taking> some, List<Taking> others) {
    Map<CapacityBucket, long[]> sums = new LinkedHashMap<>();
    some.forEach(t -> sums.merge(t.bin(), t.amounts(), (a, b) -> ResourceNumbers.plus(a, b, 1)));
    Map<CapacityBucket, long[]> beside = new LinkedHashMap<>();
    others.forEach(
        t -> beside.merge(t.bin(), t.amounts(), (a, b) -> ResourceNumbers.plus(a, b, 1)));
    List<Taking> all = new ArrayList<>(some);
    beside.forEach(
        (bin, amounts) -> {
          long[] known = sums.getOrDefault(bin, new long[0]);
          long[] missing = ResourceNumbers.positive(ResourceNumbers.plus(amounts, known, -1));
          if (!ResourceNumbers.isZero(missing)) {
            all.add(new Taking(bin, missing));
          }
        });
    return all;
  }

  /** The pods of a job that grew run in the places of whichever of its workloads holds some. */
  private void join(WorkloadState workload) {
    ObjectKey first = workload.namedByPods();
    if (!first.equals(workload.key())) {
      firsts.put(workload.key(), first);
      successors.add(first, first);
      successors.add(first, workload.key());
      others.held(first);
    }
  }

  /** What the others hold whose pods are those of the workload, too. */
  private List<Taking> heldByRow(WorkloadState workload) {
    ObjectKey first = workload.namedByPods();
    List<Taking> all = new ArrayList<>();
    for (ObjectKey holder : row(first)) {
      if (!holder.equals(workload.key())) {
        all.addAll(by(holder));
      }
    }
    return all;
  }

  private void part(ObjectKey workload) {
    ObjectKey first = firsts.remove(workload);
    if (first != null && successors.remove(first, workload)) {
      if (successors.of(first).equals(List.of(first))) {
        successors.removeAll(first);
      }
      others.held(first);
    }
  }

  /** Notes the flavors in which there is more room now. */
  private void markFreed(Holding released) {
    Set<CapacityBucket> freed = new HashSet<>();
    released.takings().forEach(t -> freed.add(t.bin()));
    for (FlavorTopology site : sites) {
      if (released.flavors().contains(site.name())
          || freed.stream().anyMatch(b -> site.forest().leafOf(b) != DomainForest.NOWHERE)) {
        roomier.accept(site.name());
      }
    }
  }
}
