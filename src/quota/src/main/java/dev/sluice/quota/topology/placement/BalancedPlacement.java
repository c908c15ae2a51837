package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.DomainCapacity;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.placement.Placer.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Spreads pods as evenly as possible over as few sibling domains as possible. */
// Of each set of siblings, the fewest that hold everything say how much each of them can get at
// least. In the set where that is most, the domains that hold less are out, and of the others those
// are chosen that leave least unused.
final class BalancedPlacement {
  /** The bound on combinations of domains and sums. */
  private static final long MOST_STEPS = 5_000_000;

  private final DomainForest forest;
  private final Demand demand;
  private final DomainCapacity counts;
  private final int level;

  BalancedPlacement(Demand demand, DomainCapacity counts) {
    this.forest = demand.site().forest();
    this.demand = demand;
    this.counts = counts;
    this.level = demand.level();
  }

  /** Siblings that must get at least the threshold each, in slices. */
  private record Siblings(List<Integer> domains, int number, long threshold) {}

  /** The parts of siblings at the requested level, in slices, or null where none can share. */
  @Nullable List<Part> find() {
    Siblings best = null;
    for (List<Integer> domains : sets()) {
      Siblings siblings = siblings(domains);
      boolean better =
          siblings != null
              && (best == null
                  || siblings.threshold() > best.threshold()
                  || (siblings.threshold() == best.threshold()
                      && siblings.number() < best.number()));
      best = better ? siblings : best;
    }
    if (best == null) {
      return null;
    }
    Choice choice = tightest(best);
    return choice == null ? null : shares(choice, best.threshold());
  }

  private List<List<Integer>> sets() {
    List<List<Integer>> sets = new ArrayList<>();
    int lastParent = DomainForest.NOWHERE;
    for (int domain = counts.first(level); domain < counts.end(level); domain++) {
      int parent = level == 0 ? 0 : forest.parent(level, domain);
      if (parent != lastParent) {
        sets.add(new ArrayList<>());
        lastParent = parent;
      }
      sets.getLast().add(domain);
    }
    return sets;
  }

  private @Nullable Siblings siblings(List<Integer> domains) {
    Siblings first = fewest(domains);
    if (first == null || first.threshold() == 0) {
      return null;
    }
    List<Integer> able =
        domains.stream().filter(d -> counts.slices(level, d) >= first.threshold()).toList();
    Siblings again = fewest(able);
    return again == null ? null : new Siblings(able, again.number(), first.threshold());
  }

  /** How many of the largest hold everything, and what each of them can get. */
  private @Nullable Siblings fewest(List<Integer> domains) {
    if (!demand.led() && domains.stream().anyMatch(this::holdsAll)) {
      return new Siblings(domains, 1, demand.need());
    }
    List<Integer> order = new ArrayList<>(domains);
    order.sort(largestFirst());
    long rest = demand.need();
    long least = Long.MAX_VALUE;
    int number = 0;
    int leader = demand.led() ? leader(order) : DomainForest.NOWHERE;
    if (leader != DomainForest.NOWHERE) {
      long behind = counts.slicesWithLeader(level, leader);
      order.remove(Integer.valueOf(leader));
      least = behind;
      rest -= behind;
      number = 1;
    } else if (demand.led()) {
      return null;
    }
    for (int i = 0; i < order.size() && rest > 0; i++) {
      long own = counts.slices(level, order.get(i));
      least = Math.min(least, own);
      rest -= own;
      number++;
    }
    return rest > 0 || number == 0
        ? null
        : new Siblings(domains, number, Math.min(demand.need() / number, least));
  }

  private boolean holdsAll(int domain) {
    return counts.slices(level, domain) >= demand.need();
  }

  private Comparator<Integer> largestFirst() {
    return Comparator.<Integer>comparingLong(d -> -counts.slices(level, d))
        .thenComparingLong(d -> counts.pods(level, d))
        .thenComparingInt(d -> d);
  }

  /** The domain that holds most beside the leader. */
  private int leader(List<Integer> domains) {
    int best = DomainForest.NOWHERE;
    for (int domain : domains) {
      if (counts.takesLeader(level, domain)
          && (best == DomainForest.NOWHERE
              || counts.slicesWithLeader(level, domain) > counts.slicesWithLeader(level, best))) {
        best = domain;
      }
    }
    return best;
  }

  /** Some of the domains, the last one first. */
  private record Choice(int domain, boolean leads, @Nullable Choice before) {
    /** Whether this one has the smaller domains where the two differ first. */
    boolean comesBefore(Choice other) {
      return compare(this, other) < 0;
    }

    private static int compare(@Nullable Choice a, @Nullable Choice b) {
      if (a == null || b == null) {
        return 0;
      }
      int earlier = compare(a.before, b.before);
      return earlier != 0 ? earlier : Integer.compare(a.domain, b.domain);
    }
  }

  /** The choice of so many domains that holds everything and, of these, the least. */
  private @Nullable Choice tightest(Siblings siblings) {
    if (siblings.number() == 1 && !demand.led()) {
      return siblings.domains().stream()
          .filter(this::holdsAll)
          .min(Comparator.<Integer>comparingLong(d -> counts.slices(level, d)))
          .map(domain -> new Choice(domain, false, null))
          .orElse(null);
    }
    int states = demand.led() ? 2 : 1;
    long steps = (long) siblings.domains().size() * siblings.number() * demand.need();
    if (steps > MOST_STEPS) {
      return null;
    }
    List<NavigableMap<Long, @Nullable Choice>> sums = new ArrayList<>();
    for (int i = 0; i <= siblings.number() * states + states - 1; i++) {
      sums.add(new TreeMap<>());
    }
    sums.getFirst().put(0L, null);
    for (int domain : siblings.domains()) {
      for (int number = siblings.number() - 1; number >= 0; number--) {
        for (int led = states - 1; led >= 0; led--) {
          extend(sums, number * states + led, (number + 1) * states + led, domain, false);
          if (demand.led() && led == 0 && mayLead(domain, siblings.threshold())) {
            extend(sums, number * states, (number + 1) * states + 1, domain, true);
          }
        }
      }
    }
    var fitting = sums.getLast().ceilingEntry(demand.need());
    return fitting == null ? null : fitting.getValue();
  }

  /** Whether the domain gets its share beside the leader, too. */
  private boolean mayLead(int domain, long threshold) {
    return counts.takesLeader(level, domain) && counts.slicesWithLeader(level, domain) >= threshold;
  }

  private void extend(
      List<NavigableMap<Long, @Nullable Choice>> sums,
      int from,
      int to,
      int domain,
      boolean leads) {
    long own = leads ? counts.slicesWithLeader(level, domain) : counts.slices(level, domain);
    sums.get(from)
        .forEach(
            (sum, choice) ->
                sums.get(to)
                    .merge(
                        sum + own,
                        new Choice(domain, leads, choice),
                        (a, b) -> b.comesBefore(a) ? b : a));
  }

  private List<Part> shares(Choice choice, long threshold) {
    List<Choice> chosen = new ArrayList<>();
    for (Choice one = choice; one != null; one = one.before()) {
      chosen.add(one);
    }
    chosen.sort(Comparator.comparing(Choice::domain, largestFirst()));
    long extra = demand.need() - threshold * chosen.size();
    List<Part> parts = new ArrayList<>();
    for (Choice one : chosen) {
      long room =
          one.leads()
              ? counts.slicesWithLeader(level, one.domain())
              : counts.slices(level, one.domain());
      long more = Math.clamp(room - threshold, 0, extra);
      extra -= more;
      parts.add(new Part(one.domain(), threshold + more, one.leads()));
    }
    parts.sort(Comparator.comparingInt(Part::domain));
    return parts;
  }
}
