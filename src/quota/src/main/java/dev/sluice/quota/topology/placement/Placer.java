package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.DomainCapacity;
import dev.sluice.quota.topology.capacity.LeafOrder;
import dev.sluice.quota.topology.capacity.Slices;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.placement.Demand.Manner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds domains for pods. Use each instance once. */
// First the domains of the requested level, one if one holds all of it, and the one that is left
// with least; then their children, level by level, as few as hold it. Where nothing has to be
// together, the fullest domains are used up first instead.
final class Placer {
  private final DomainForest forest;
  private final Demand demand;
  private final DomainCapacity counts;
  private final Slices slices;
  private final boolean leastFree;
  private final boolean balanced;

  /**
   * @param mixed whether pods that need not be together use up the fullest domains first
   * @param balanced whether preferred domains get equal parts where they can
   */
  Placer(Demand demand, DomainCapacity counts, boolean mixed, boolean balanced) {
    this.forest = demand.site().forest();
    this.demand = demand;
    this.counts = counts;
    this.slices = demand.profile().slices();
    this.leastFree = mixed && demand.manner() == Manner.UNCONSTRAINED;
    this.balanced = balanced && demand.manner() == Manner.PREFERRED;
  }

  /** A domain with its part of the pods, in slices or pods. */
  record Part(int domain, long amount, boolean leads) {}

  /** The leaves for the pods, or null where there is no room. */
  @Nullable List<Part> find() {
    if (demand.from() >= demand.to()) {
      return null;
    }
    List<Part> equal = balanced ? findBalanced() : null;
    return equal == null ? findTight() : equal;
  }

  private @Nullable List<Part> findBalanced() {
    List<Part> parts = new BalancedPlacement(demand, counts).find();
    for (int level = demand.level(); parts != null && level < slices.level(); level++) {
      parts = descendApart(level, parts, false);
    }
    return parts == null ? null : descend(Math.max(demand.level(), slices.level()), parts);
  }

  private @Nullable List<Part> findTight() {
    int level = demand.level();
    while (true) {
      Part one = single(level);
      if (one != null) {
        return descend(level, List.of(one));
      }
      if (demand.manner() == Manner.REQUIRED) {
        return null;
      }
      if (demand.manner() == Manner.UNCONSTRAINED || level == 0) {
        List<Part> several =
            inLine(level) && (leastFree || !counts.sliced())
                ? line()
                : distribute(level, range(level), demand.need(), demand.led(), false, 1, true);
        return several == null ? null : descend(level, several);
      }
      level--;
    }
  }

  private int[] range(int level) {
    int first = counts.first(level);
    int[] domains = new int[counts.end(level) - first];
    for (int i = 0; i < domains.length; i++) {
      domains[i] = first + i;
    }
    return domains;
  }

  /** Whether the leaves need not be looked at one by one. */
  private boolean inLine(int level) {
    return level == forest.levels().lowest() && counts.hasLineup();
  }

  /** The domain that holds everything, if one does. */
  private @Nullable Part single(int level) {
    if (inLine(level)) {
      int leaf = counts.lineup().tightest(Math.max(1, demand.need() * slices.size()));
      return leaf == DomainForest.NOWHERE ? null : new Part(leaf, demand.need(), false);
    }
    long most = Long.MIN_VALUE; // only what is liked most comes into question
    for (int d = counts.first(level); !leastFree && d < counts.end(level); d++) {
      boolean leads = !demand.led() || counts.takesLeader(level, d);
      most = leads ? Math.max(most, counts.liking(level, d)) : most;
    }
    int best = DomainForest.NOWHERE;
    for (int d = counts.first(level); d < counts.end(level); d++) {
      if (holdsAll(level, d)
          && (leastFree || counts.liking(level, d) == most)
          && (best == DomainForest.NOWHERE || tighter(level, d, best))) {
        best = d;
      }
    }
    return best == DomainForest.NOWHERE ? null : new Part(best, demand.need(), demand.led());
  }

  /** As {@link #distribute} over all leaves, of which none holds everything. */
  private @Nullable List<Part> line() {
    LeafOrder lineup = counts.lineup();
    var leaves = leastFree ? lineup.from(slices.size()) : lineup.fromMost();
    List<Part> parts = new ArrayList<>();
    long rest = demand.need();
    while (rest > 0 && leaves.hasNext()) {
      int leaf = leaves.nextInt();
      long room = slicesOf(leaf);
      if (!leastFree && room >= rest) {
        int tightest = lineup.tightest(rest * slices.size());
        leaf = slicesOf(tightest) < room ? tightest : leaf; // those with more are taken already
      }
      long part = Math.min(rest, room);
      parts.add(new Part(leaf, part, false));
      rest -= part;
    }
    parts.sort(Comparator.comparingInt(Part::domain));
    return rest > 0 ? null : parts;
  }

  private long slicesOf(int leaf) {
    return counts.slices(forest.levels().lowest(), leaf);
  }

  private boolean holdsAll(int level, int domain) {
    return counts.slicesWithLeader(level, domain) >= demand.need()
        && (!demand.led() || counts.takesLeader(level, domain))
        && counts.podsWithLeader(level, domain) > 0;
  }

  /** Whether the first is left with less, or comes first where they are equal. */
  private boolean tighter(int level, int domain, int than) {
    long byLiking = counts.liking(level, domain) - counts.liking(level, than);
    if (byLiking != 0) {
      return byLiking > 0;
    }
    long bySlices = counts.slicesWithLeader(level, domain) - counts.slicesWithLeader(level, than);
    return bySlices != 0
        ? bySlices < 0
        : counts.podsWithLeader(level, domain) < counts.podsWithLeader(level, than);
  }

  /** From the domains of a level down to leaves. */
  private @Nullable List<Part> descend(int from, List<Part> chosen) {
    List<Part> parts = chosen;
    for (int level = from; level < forest.levels().lowest(); level++) {
      parts =
          level < slices.level() ? descendPooled(level, parts) : descendApart(level, parts, true);
      if (parts == null) {
        return null;
      }
    }
    return forest.levels().lowest() == slices.level() ? inPods(parts) : parts;
  }

  private List<Part> inPods(List<Part> parts) {
    return slices.size() == 1
        ? parts
        : parts.stream()
            .map(p -> new Part(p.domain(), p.amount() * slices.size(), p.leads()))
            .toList();
  }

  /** The children of all domains together share everything in slices. */
  private @Nullable List<Part> descendPooled(int level, List<Part> parts) {
    int size = 0;
    for (Part part : parts) {
      size += childEnd(level, part.domain()) - childStart(level, part.domain());
    }
    int[] children = new int[size];
    int next = 0;
    for (Part part : parts) {
      for (int c = childStart(level, part.domain()); c < childEnd(level, part.domain()); c++) {
        children[next++] = c;
      }
    }
    return distribute(level + 1, children, demand.need(), demand.led(), false, 1, false);
  }

  /**
   * The children of each domain share what it got.
   *
   * @param below whether that is below the level of the slices, in pods
   */
  private @Nullable List<Part> descendApart(int level, List<Part> parts, boolean below) {
    List<Part> all = new ArrayList<>();
    long unit = below ? slices.unit(level + 1) : 1;
    for (Part part : below && level == slices.level() ? inPods(parts) : parts) {
      int start = childStart(level, part.domain());
      int[] children = new int[childEnd(level, part.domain()) - start];
      for (int i = 0; i < children.length; i++) {
        children[i] = start + i;
      }
      List<Part> own =
          distribute(level + 1, children, part.amount() / unit, part.leads(), below, unit, false);
      if (own == null) {
        return null;
      }
      own.forEach(p -> all.add(new Part(p.domain(), p.amount() * unit, p.leads())));
    }
    return all;
  }

  private int childStart(int level, int domain) {
    return Math.max(forest.firstChild(level, domain), counts.first(level + 1));
  }

  private int childEnd(int level, int domain) {
    return Math.min(forest.firstChild(level, domain + 1), counts.end(level + 1));
  }

  /** Serves the domains in order until everything is placed; null where they do not hold it. */
  private @Nullable List<Part> distribute(
      int level,
      int[] domains,
      long amount,
      boolean led,
      boolean below,
      long unit,
      boolean searched) {
    long total = 0;
    for (int domain : domains) {
      total += capacity(level, domain, below, unit);
    }
    if (total < amount) {
      return null;
    }
    if (!led && !below && !leastFree && !counts.likes()) {
      int one = tightest(level, domains, amount);
      if (one != DomainForest.NOWHERE) {
        return List.of(new Part(one, amount, false));
      }
    }
    int[] order = new WorkerOrder(counts, level, below, leastFree).sort(domains);
    if (led) {
      leaderFirst(level, order, total - amount, below, unit, searched);
    }
    List<Part> parts = new ArrayList<>();
    long rest = amount;
    boolean waiting = led;
    boolean done = false;
    for (int i = 0; i < order.length && !done && (rest > 0 || waiting); i++) {
      int domain = order[i];
      boolean takes = !waiting || counts.takesLeader(level, domain);
      if (!leastFree && takes && room(level, domain, waiting, below, unit) >= rest) {
        domain = tightest(level, order, i, rest, waiting, below, unit);
        done = true; // whatever is left, that one takes it
      }
      boolean leads = waiting && counts.takesLeader(level, domain);
      long part = Math.min(rest, room(level, domain, waiting, below, unit));
      if (part > 0 || leads) {
        parts.add(new Part(domain, part, leads));
      }
      rest -= part;
      waiting &= !leads;
    }
    if (rest > 0 || waiting) {
      return null;
    }
    parts.sort(Comparator.comparingInt(Part::domain));
    return parts;
  }

  /** The domain that holds so many slices and is left with least, or {@code NOWHERE}. */
  private int tightest(int level, int[] domains, long amount) {
    int best = DomainForest.NOWHERE;
    for (int domain : domains) {
      if (amount > 0
          && counts.slices(level, domain) >= amount
          && (best == DomainForest.NOWHERE || tighter(level, domain, best))) {
        best = domain;
      }
    }
    return best;
  }

  private long capacity(int level, int domain, boolean below, long unit) {
    return below ? counts.pods(level, domain) / unit : counts.slices(level, domain);
  }

  private long room(int level, int domain, boolean withLeader, boolean below, long unit) {
    if (!withLeader) {
      return capacity(level, domain, below, unit);
    }
    return below
        ? counts.podsWithLeader(level, domain) / unit
        : counts.slicesWithLeader(level, domain);
  }

  /**
   * The leader's domain comes first, if a domain can hold the leader and still leaves room for all
   * workers.
   */
  private void leaderFirst(
      int level, int[] order, long spare, boolean below, long unit, boolean searched) {
    int best = DomainForest.NOWHERE;
    for (int i = 0; i < order.length; i++) {
      long penalty =
          capacity(level, order[i], below, unit) - room(level, order[i], true, below, unit);
      if (counts.takesLeader(level, order[i])
          && penalty <= spare
          && (best == DomainForest.NOWHERE
              || (searched && leaderOrder(level).compare(order[i], order[best]) < 0))) {
        best = i;
      }
    }
    if (best > 0) {
      int leader = order[best];
      System.arraycopy(order, 0, order, 1, best);
      order[0] = leader;
    }
  }

  /** The order of domains that take the leader, at the level of the search. */
  private Comparator<Integer> leaderOrder(int level) {
    return Comparator.<Integer>comparingLong(d -> -counts.liking(level, d))
        .thenComparingLong(d -> (leastFree ? 1 : -1) * counts.slicesWithLeader(level, d))
        .thenComparingLong(d -> counts.podsWithLeader(level, d))
        .thenComparingInt(d -> d);
  }

  /** The domain that holds the rest and is left with least, from that place on. */
  private int tightest(
      int level, int[] order, int start, long rest, boolean waiting, boolean below, long unit) {
    int best = order[start];
    long least = room(level, best, waiting, below, unit);
    for (int i = start + 1; i < order.length; i++) {
      long own = room(level, order[i], waiting, below, unit);
      boolean takes = !waiting || counts.takesLeader(level, order[i]);
      if (takes && own >= rest && own < least) {
        best = order[i];
        least = own;
      }
    }
    return best;
  }
}
