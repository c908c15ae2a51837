package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.Leaf;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of one profile each domain of a forest can hold, with and without their leader. A
 * change of one leaf costs the height of the tree; a copy costs what it changes.
 */
// Without a leader the numbers with and without one are the same arrays; with slices of one pod
// the numbers of slices are those of pods.
public final class DomainCapacity {
  private final DomainForest forest;
  private final Profile profile;
  private final PodFit fit;
  private BitSet open;
  private int changes;
  private final boolean sliced;
  private final boolean led;
  private final int from;
  private final int to;
  private final Column[] pods;
  private final Column[] podsWithLeader;
  private final Column[] slices;
  private final Column[] slicesWithLeader;
  private final Column[] takesLeader;
  private final Column[] liking;
  private final TopologyUsage room;
  private @Nullable LeafOrder lineup;
  private @Nullable Exclusions exclusions;

  /**
   * Empty counts.
   *
   * @param from the first leaf
   * @param to the leaf after the last
   */
  DomainCapacity(DomainForest forest, Profile profile, TopologyUsage room, int from, int to) {
    this.room = room;
    this.forest = forest;
    this.profile = profile;
    this.fit = new PodFit(profile, room.sites().resources());
    this.changes = forest.changes();
    this.open = forest.open(profile.filter());
    this.from = from;
    this.to = to;
    this.sliced = profile.slices().size() != 1;
    this.led = profile.leader() != null;
    this.pods = table(forest);
    this.slices = !sliced ? pods : table(forest);
    this.podsWithLeader = !led ? pods : table(forest);
    this.slicesWithLeader = !sliced ? podsWithLeader : !led ? slices : table(forest);
    this.takesLeader = led ? table(forest) : new Column[0];
    this.liking = profile.filter().preferred().isEmpty() ? new Column[0] : table(forest);
  }

  private DomainCapacity(DomainCapacity other, TopologyUsage room) {
    this.room = room;
    this.forest = other.forest;
    this.profile = other.profile;
    this.fit = other.fit;
    this.changes = other.changes;
    this.open = other.open;
    this.sliced = other.sliced;
    this.led = other.led;
    this.from = other.from;
    this.to = other.to;
    this.pods = copy(other.pods);
    this.slices = !other.sliced ? pods : copy(other.slices);
    this.podsWithLeader = !other.led ? pods : copy(other.podsWithLeader);
    this.slicesWithLeader = !sliced ? podsWithLeader : !led ? slices : copy(other.slicesWithLeader);
    this.takesLeader = copy(other.takesLeader);
    this.liking = copy(other.liking);
    this.lineup = other.lineup == null ? null : other.lineup.copy();
    this.exclusions = other.exclusions == null ? null : other.exclusions.copy();
  }

  private static Column[] table(DomainForest forest) {
    Column[] table = new Column[forest.levels().count()];
    for (int level = 0; level < table.length; level++) {
      table[level] = new Column(forest.size(level));
    }
    return table;
  }

  private static Column[] copy(Column[] table) {
    Column[] copy = new Column[table.length];
    for (int level = 0; level < table.length; level++) {
      copy[level] = table[level].copy();
    }
    return copy;
  }

  /** The same counts, to follow another room. */
  synchronized DomainCapacity copy(TopologyUsage other) {
    return new DomainCapacity(this, other);
  }

  DomainForest forest() {
    return forest;
  }

  Profile profile() {
    return profile;
  }

  public long pods(int level, int domain) {
    return pods[level].get(domain);
  }

  public long slices(int level, int domain) {
    return slices[level].get(domain);
  }

  /** As {@link #pods}, after the leader, if there is one and it finds room there. */
  public long podsWithLeader(int level, int domain) {
    return podsWithLeader[level].get(domain);
  }

  public long slicesWithLeader(int level, int domain) {
    return slicesWithLeader[level].get(domain);
  }

  public boolean takesLeader(int level, int domain) {
    return led && takesLeader[level].get(domain) != 0;
  }

  /** Whether slices are more than single pods. */
  public boolean sliced() {
    return sliced;
  }

  /** Whether the pods like some domains more than others. */
  public boolean likes() {
    return liking.length > 0;
  }

  /** How much the pods would like the domain. */
  public long liking(int level, int domain) {
    return liking.length == 0 ? 0 : liking[level].get(domain);
  }

  /** The first domain of the level of which leaves count. */
  public int first(int level) {
    return from >= forest.leaves().size() ? 0 : forest.domainOf(level, from);
  }

  /** The first domain of the level after those of which leaves count. */
  public int end(int level) {
    return from >= to ? first(level) : forest.domainOf(level, to - 1) + 1;
  }

  /** Counts everything. */
  void countAll() {
    int lowest = forest.levels().lowest();
    for (int leaf = from; leaf < to; leaf++) {
      countLeaf(leaf);
    }
    for (int level = lowest - 1; level >= 0; level--) {
      for (int domain = first(level); domain < end(level); domain++) {
        rollUp(level, domain);
      }
    }
  }

  /** Counts again everything that depends on that leaf. */
  void count(int leaf) {
    if (leaf < from || leaf >= to) {
      return;
    }
    int lowest = forest.levels().lowest();
    long oldPods = pods(lowest, leaf);
    long oldLiking = liking(lowest, leaf);
    countLeaf(leaf);
    if (lineup != null && oldPods != pods(lowest, leaf)) {
      lineup.move(leaf, oldPods, pods(lowest, leaf));
    }
    if (led) {
      rollUpFrom(leaf);
    } else if (oldPods != pods(lowest, leaf) || oldLiking != liking(lowest, leaf)) {
      addUp(leaf, oldPods, liking(lowest, leaf) - oldLiking);
    }
  }

  /** The leaves of which a node passes the filter, as they are now. */
  private BitSet open() {
    if (changes != forest.changes()) {
      changes = forest.changes();
      open = forest.open(profile.filter());
    }
    return open;
  }

  private void countLeaf(int leaf) {
    int level = forest.levels().lowest();
    Leaf own = forest.leaf(leaf);
    boolean mayRun = own.usable() && open().get(leaf);
    long[] taken = mayRun ? room.taken(own.bin()) : null;
    if (taken == null) {
      setLeaf(leaf, 0, 0, false);
    } else {
      long fitting = fit.workers(own, taken, false);
      boolean leads = led && fit.takesLeader(own, taken);
      long behind = leads ? fit.workers(own, taken, true) : fitting;
      setLeaf(leaf, fitting, behind, leads);
    }
    if (liking.length > 0) {
      boolean asked = mayRun && forest.levels().endAtHosts();
      liking[level].set(leaf, asked ? profile.filter().liking(own.node()) : 0);
    }
    if (exclusions != null) {
      exclusions.set(leaf, exclusion(leaf));
    }
  }

  private void setLeaf(int leaf, long own, long behind, boolean leads) {
    int level = forest.levels().lowest();
    pods[level].set(leaf, own);
    if (led) {
      podsWithLeader[level].set(leaf, behind);
      takesLeader[level].set(leaf, leads ? 1 : 0);
    }
    slice(level, leaf);
  }

  /** What a child has for its parent: whole units of its level. */
  private long contribution(int level, long count) {
    long unit = profile.slices().unit(level);
    return unit <= 1 ? count : count - count % unit;
  }

  /** The slices of a domain at the level of slices or below; those above are added up. */
  private void slice(int level, int domain) {
    if (!sliced) {
      return;
    }
    long size = level == profile.slices().level() ? profile.slices().size() : Long.MAX_VALUE;
    slices[level].set(domain, pods(level, domain) / size);
    if (led) {
      slicesWithLeader[level].set(domain, podsWithLeader(level, domain) / size);
    }
  }

  private void rollUpFrom(int leaf) {
    int domain = leaf;
    for (int level = forest.levels().lowest(); level > 0; level--) {
      domain = forest.parent(level, domain);
      rollUp(level - 1, domain);
    }
  }

  /** Sums up the children of the domain again. */
  private void rollUp(int level, int domain) {
    long podSum = 0;
    long sliceSum = 0;
    long likingSum = 0;
    long podPenalty = Long.MAX_VALUE;
    long slicePenalty = Long.MAX_VALUE;
    int below = level + 1;
    int end = forest.firstChild(level, domain + 1);
    for (int child = forest.firstChild(level, domain); child < end; child++) {
      long own = contribution(below, pods(below, child));
      podSum += own;
      sliceSum += slices(below, child);
      likingSum += liking(below, child);
      if (takesLeader(below, child)) {
        long behind = contribution(below, podsWithLeader(below, child));
        podPenalty = Math.min(podPenalty, own - behind);
        slicePenalty =
            Math.min(slicePenalty, slices(below, child) - slicesWithLeader(below, child));
      }
    }
    boolean leads = podPenalty != Long.MAX_VALUE;
    pods[level].set(domain, podSum);
    if (led) {
      takesLeader[level].set(domain, leads ? 1 : 0);
      podsWithLeader[level].set(domain, leads ? podSum - podPenalty : 0);
    }
    if (level >= profile.slices().level()) {
      slice(level, domain);
    } else if (sliced) {
      slices[level].set(domain, sliceSum);
      if (led) {
        slicesWithLeader[level].set(domain, leads ? sliceSum - slicePenalty : 0);
      }
    }
    if (liking.length > 0) {
      liking[level].set(domain, likingSum);
    }
  }

  /** Carries the change of a leaf up, without looking at its siblings. */
  private void addUp(int leaf, long oldPods, long moreLiking) {
    int lowest = forest.levels().lowest();
    int child = leaf;
    long before = oldPods;
    long slicesBefore = lowest == profile.slices().level() ? before / profile.slices().size() : 0;
    for (int level = lowest - 1; level >= 0; level--) {
      int domain = forest.parent(level + 1, child);
      long now = pods(level + 1, child);
      long slicesNow = !sliced ? 0 : slices(level + 1, child);
      long ownBefore = pods(level, domain);
      long ownSlicesBefore = !sliced ? 0 : slices(level, domain);
      pods[level].add(domain, contribution(level + 1, now) - contribution(level + 1, before));
      if (level >= profile.slices().level()) {
        slice(level, domain);
      } else if (sliced) {
        slices[level].add(domain, slicesNow - slicesBefore);
      }
      if (liking.length > 0) {
        liking[level].add(domain, moreLiking);
      }
      before = ownBefore;
      slicesBefore = ownSlicesBefore;
      child = domain;
    }
  }

  /** Whether the leaves are available in the order of their counts. */
  public boolean hasLineup() {
    boolean all = from == 0 && to == forest.leaves().size();
    return all && !led && !likes() && profile.slices().level() == forest.levels().lowest();
  }

  /** The leaves in the order of their counts; only if {@link #hasLineup}. */
  public synchronized LeafOrder lineup() {
    LeafOrder known = lineup;
    if (known == null || !known.isValid()) {
      known = new LeafOrder();
      for (int leaf = from; leaf < to; leaf++) {
        known.move(leaf, 0, pods(forest.levels().lowest(), leaf));
      }
      lineup = known;
    }
    return known;
  }

  /** How many leaves there are and, by what keeps pods off them, how many hold none. */
  public synchronized String exclusions() {
    Exclusions known = exclusions;
    if (known == null) {
      known = new Exclusions(forest.leaves().size());
      for (int leaf = from; leaf < to; leaf++) {
        known.set(leaf, exclusion(leaf));
      }
      exclusions = known;
    }
    String all = (to - from) + " domains of level " + forest.levels().labels().getLast();
    String reasons = known.text();
    return reasons.isEmpty() ? all : all + ", of which hold none: " + reasons;
  }

  private @Nullable String exclusion(int leaf) {
    Leaf own = forest.leaf(leaf);
    if (!own.usable()) {
      return "nodes that are not ready";
    }
    if (!open().get(leaf)) {
      return profile.filter().exclusion(own.node());
    }
    return pods(forest.levels().lowest(), leaf) > 0
        ? null
        : "resource " + fit.scarcest(own, room.taken(own.bin()));
  }

  @Override
  public String toString() {
    return Arrays.deepToString(
        new Object[] {pods, podsWithLeader, slices, slicesWithLeader, takesLeader, liking});
  }
}
