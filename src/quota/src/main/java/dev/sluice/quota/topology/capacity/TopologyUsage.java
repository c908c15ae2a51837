package dev.sluice.quota.topology.capacity;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.LruMap;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What workloads use of the domains. A fork adds and removes workloads without changing its origin.
 * A fork is for one thread and for one cycle.
 */
// Counts are updated lazily: each change is recorded, and the next read recounts only the leaves
// recorded since. A fork starts from a copy of its parent's counts, and has none of its own
// until it changes something.
public final class TopologyUsage {
  private static final int MOST_COUNTS = 64;
  private static final int LONGEST_NOTES = 4096;
  private static final long[] NOTHING = {};

  private record Key(DomainForest forest, Profile profile) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && forest == that.forest && profile.equals(that.profile);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(forest) + profile.hashCode();
    }
  }

  private static final class Kept {
    private final DomainCapacity counts;
    private int seen;

    private Kept(DomainCapacity counts, int seen) {
      this.counts = counts;
      this.seen = seen;
    }
  }

  private final TopologyCache sites;
  private final @Nullable TopologyUsage below;
  private final ForkableMap<CapacityBucket, long[]> taken;
  private final List<CapacityBucket> notes = new ArrayList<>();
  private final Map<Key, Kept> kept = new LruMap<>(MOST_COUNTS);

  /** Nothing is taken, or what is taken below. */
  TopologyUsage(TopologyCache sites, @Nullable TopologyUsage below) {
    this(sites, below, new ForkableMap<>());
  }

  private TopologyUsage(
      TopologyCache sites,
      @Nullable TopologyUsage below,
      ForkableMap<CapacityBucket, long[]> taken) {
    this.sites = sites;
    this.below = below;
    this.taken = taken;
  }

  /** The same usage of those sites, which are a fork of these ones. */
  TopologyUsage of(TopologyCache fork) {
    return new TopologyUsage(fork, null, taken.fork());
  }

  TopologyCache sites() {
    return sites;
  }

  /** A what-if on this room, or beside it on the same one where this is a what-if itself. */
  public TopologyUsage fork() {
    return new TopologyUsage(sites, this);
  }

  /** What our pods take of the bin. Not to be changed. */
  public long[] taken(CapacityBucket bin) {
    long[] own = taken.getOrDefault(bin, NOTHING);
    if (below == null) {
      return own;
    }
    long[] under = below.taken(bin);
    return own.length == 0 ? under : ResourceNumbers.plus(under, own, 1);
  }

  /** Adds so many times the amounts. */
  public void add(CapacityBucket bin, long[] amounts, long times) {
    long[] sum = ResourceNumbers.plus(taken.getOrDefault(bin, NOTHING), amounts, times);
    if (ResourceNumbers.isZero(sum)) {
      taken.remove(bin);
    } else {
      taken.put(bin, sum);
    }
    note(bin);
  }

  /** Something about the bin is not as it was: counts have to look again. */
  synchronized void note(CapacityBucket bin) {
    if (kept.isEmpty()) {
      return;
    }
    if (notes.size() >= LONGEST_NOTES) {
      clearNotes();
    }
    notes.add(bin);
  }

  /** Drops counts that were not read since the last time; the others record all changes. */
  private void clearNotes() {
    kept.values().removeIf(it -> it.seen == 0);
    kept.values().forEach(this::follow);
    kept.values().forEach(it -> it.seen = 0);
    notes.clear();
  }

  private void follow(Kept known) {
    for (; known.seen < notes.size(); known.seen++) {
      recount(known.counts, notes.get(known.seen));
    }
  }

  /** The workload, which holds places, is gone. */
  public void remove(ObjectKey workload) {
    sites.heldBy(workload).forEach(t -> add(t.bin(), t.amounts(), -1));
  }

  /** Undoes {@link #remove}. */
  public void add(ObjectKey workload) {
    sites.heldBy(workload).forEach(t -> add(t.bin(), t.amounts(), 1));
  }

  /** So many times, pods that take that much each are placed there. */
  public void take(String flavor, PodPlacement placement, Requests perPod, int times) {
    for (Taking taking : sites.takings(flavor, placement, perPod)) {
      add(taking.bin(), taking.amounts(), times);
    }
  }

  /** The counts of the profile in this usage. They are valid until the usage changes. */
  public synchronized DomainCapacity counts(DomainForest forest, Profile profile) {
    if (below != null && taken.isEmpty()) {
      return below.counts(forest, profile);
    }
    var key = new Key(forest, profile);
    Kept known = kept.get(key);
    if (known == null) {
      known = new Kept(counted(forest, profile), notes.size());
      kept.put(key, known);
    } else {
      follow(known);
    }
    return known.counts;
  }

  private DomainCapacity counted(DomainForest forest, Profile profile) {
    if (below == null) {
      return counted(forest, profile, 0, forest.leaves().size());
    }
    DomainCapacity counts = below.counts(forest, profile).copy(this);
    taken.forEach((bin, _) -> recount(counts, bin));
    return counts;
  }

  private void recount(DomainCapacity counts, CapacityBucket bin) {
    int leaf = counts.forest().leafOf(bin);
    if (leaf != DomainForest.NOWHERE) {
      counts.count(leaf);
    }
  }

  /** The counts of some of the leaves only. */
  public DomainCapacity counted(DomainForest forest, Profile profile, int from, int to) {
    var counts = new DomainCapacity(forest, profile, this, from, to);
    counts.countAll();
    return counts;
  }

  /** Forgets the counts of forests that are no more. */
  synchronized void forget() {
    kept.clear();
    notes.clear();
  }

  boolean uses(CapacityBucket bin) {
    return taken.containsKey(bin);
  }
}
