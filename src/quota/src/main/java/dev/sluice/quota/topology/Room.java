package dev.sluice.quota.topology;

import dev.sluice.quota.request.Requests;
import dev.sluice.quota.world.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is taken of the domains: by the workloads that hold places, and, on top of that, in a
 * what-if that adds and removes some. A what-if is for one thread and for one cycle.
 */
// Counts follow the room they belong to: each change is noted, and whoever asks for counts next has
// only the leaves noted since then counted anew. A what-if starts from a copy of the counts below
// it, and has none of its own while it has changed nothing.
public final class Room {
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
    private final Counts counts;
    private int seen;

    private Kept(Counts counts, int seen) {
      this.counts = counts;
      this.seen = seen;
    }
  }

  private final Sites sites;
  private final @Nullable Room below;
  private final Map<Bin, long[]> taken = new HashMap<>();
  private final List<Bin> notes = new ArrayList<>();
  private final Map<Key, Kept> kept = new Recent<>(MOST_COUNTS);

  /** Nothing is taken, or what is taken below. */
  Room(Sites sites, @Nullable Room below) {
    this.sites = sites;
    this.below = below;
  }

  Sites sites() {
    return sites;
  }

  /** A what-if on this room, or beside it on the same one where this is a what-if itself. */
  public Room whatIf() {
    return new Room(sites, this);
  }

  /** What our pods take of the bin. Not to be changed. */
  long[] taken(Bin bin) {
    long[] own = taken.getOrDefault(bin, NOTHING);
    if (below == null) {
      return own;
    }
    long[] under = below.taken(bin);
    return own.length == 0 ? under : Resources.plus(under, own, 1);
  }

  /** Adds so many times the amounts. */
  void add(Bin bin, long[] amounts, long times) {
    long[] sum = Resources.plus(taken.getOrDefault(bin, NOTHING), amounts, times);
    if (Resources.isZero(sum)) {
      taken.remove(bin);
    } else {
      taken.put(bin, sum);
    }
    note(bin);
  }

  /** Something about the bin is not as it was: counts have to look again. */
  synchronized void note(Bin bin) {
    if (kept.isEmpty()) {
      return;
    }
    if (notes.size() >= LONGEST_NOTES) {
      clearNotes();
    }
    notes.add(bin);
  }

  /** Whoever was not asked for since the last time is forgotten, the others take note of all. */
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
    for (Sites.Taking taking : sites.takings(flavor, placement, perPod)) {
      add(taking.bin(), taking.amounts(), times);
    }
  }

  /** The counts of the profile in this room. They stay right while nobody changes the room. */
  synchronized Counts counts(DomainForest forest, Profile profile) {
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

  private Counts counted(DomainForest forest, Profile profile) {
    if (below == null) {
      return counted(forest, profile, 0, forest.leaves().size());
    }
    Counts counts = below.counts(forest, profile).copy(this);
    taken.keySet().forEach(bin -> recount(counts, bin));
    return counts;
  }

  private void recount(Counts counts, Bin bin) {
    int leaf = counts.forest().leafOf(bin);
    if (leaf != DomainForest.NOWHERE) {
      counts.count(leaf);
    }
  }

  /** The counts of some of the leaves only. */
  Counts counted(DomainForest forest, Profile profile, int from, int to) {
    var counts = new Counts(forest, profile, this, from, to);
    counts.countAll();
    return counts;
  }

  /** Forgets the counts of forests that are no more. */
  synchronized void forget() {
    kept.clear();
    notes.clear();
  }

  boolean uses(Bin bin) {
    return taken.containsKey(bin);
  }
}
