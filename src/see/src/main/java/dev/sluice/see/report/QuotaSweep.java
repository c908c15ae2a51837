package dev.sluice.see.report;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.QuotaChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a time from one change of what is held, or of a quota, to the next one. Between two
 * of them each ClusterQueue holds the same amounts, of which what exceeds its nominal quota is
 * borrowed. What all queues of a tree of cohorts borrow is lent by those of its nodes that do not
 * use all of their own, in proportion to what they leave. For one thread.
 */
final class QuotaSweep {
  private final Instant since;
  private final Instant until;
  private final List<Event> events = new ArrayList<>();
  private final Map<Node, List<QuotaChange>> quotas = new TreeMap<>();

  private record Node(boolean cohort, String name) implements Comparable<Node> {
    @Override
    public int compareTo(Node other) {
      int byKind = Boolean.compare(cohort, other.cohort);
      return byKind != 0 ? byKind : name.compareTo(other.name);
    }
  }

  private sealed interface Event {
    Instant at();
  }

  private record Use(Instant at, String queue, String group, FlavorResource pair, long amount)
      implements Event {}

  private record Quotas(Instant at, Node node, QuotaChange change) implements Event {}

  /** Sums of one group and pair, each in units times seconds. */
  static final class UnitSeconds {
    private double held;
    private double borrowed;
    private double lent;

    double held() {
      return held;
    }

    double borrowed() {
      return borrowed;
    }

    double lent() {
      return lent;
    }
  }

  /** What a ClusterQueue holds of one pair, and which group of it how much. */
  private static final class Holding {
    private long used;
    private final Map<String, Long> groups = new HashMap<>();
  }

  QuotaSweep(Instant since, Instant until) {
    this.since = since;
    this.until = until;
  }

  void add(QuotaChange change) {
    quotas
        .computeIfAbsent(new Node(change.cohort(), change.name()), _ -> new ArrayList<>())
        .add(change);
  }

  void held(Held held, Instant end, String group) {
    Instant from = held.since().isAfter(since) ? held.since() : since;
    Instant to = end.isBefore(until) ? end : until;
    if (from.isBefore(to)) {
      held.amounts()
          .forEach(
              (pair, amount) -> {
                events.add(new Use(from, held.clusterQueue(), group, pair, amount));
                events.add(new Use(to, held.clusterQueue(), group, pair, -amount));
              });
    }
  }

  /**
   * The sums by group and pair.
   *
   * @param lends whether the groups are ClusterQueues, which lend
   */
  Map<String, Map<FlavorResource, UnitSeconds>> run(boolean lends) {
    return new Walk(lends).run();
  }

  private final class Walk {
    private final boolean lends;
    private final Map<String, Map<FlavorResource, UnitSeconds>> sums = new TreeMap<>();
    private final Map<Node, QuotaChange> now = new HashMap<>();
    private final Map<FlavorResource, Map<String, Holding>> holdings = new TreeMap<>();
    private final Map<Node, Node> roots = new HashMap<>();

    Walk(boolean lends) {
      this.lends = lends;
    }

    Map<String, Map<FlavorResource, UnitSeconds>> run() {
      begin();
      List<Event> sorted = new ArrayList<>(events);
      quotas.forEach(
          (node, changes) ->
              changes.stream()
                  .filter(it -> it.at().isAfter(since) && it.at().isBefore(until))
                  .forEach(it -> sorted.add(new Quotas(it.at(), node, it))));
      sorted.sort(Comparator.comparing(Event::at));
      Instant last = since;
      for (Event event : sorted) {
        if (event.at().isAfter(last)) {
          count(Duration.between(last, event.at()).toMillis() / 1000.0);
          last = event.at();
        }
        switch (event) {
          case Use use -> use(use);
          case Quotas change -> {
            now.put(change.node(), change.change());
            roots.clear();
          }
        }
      }
      return sums;
    }

    /** The last quotas before the time, or the first ones that are known. */
    private void begin() {
      quotas.forEach(
          (node, changes) -> {
            changes.sort(Comparator.comparing(QuotaChange::at));
            QuotaChange first = changes.getFirst();
            for (QuotaChange change : changes) {
              first = change.at().isAfter(since) ? first : change;
            }
            now.put(node, first);
          });
    }

    private void use(Use use) {
      Holding holding =
          holdings
              .computeIfAbsent(use.pair(), _ -> new TreeMap<>())
              .computeIfAbsent(use.queue(), _ -> new Holding());
      holding.used += use.amount();
      long left = holding.groups.merge(use.group(), use.amount(), Long::sum);
      if (left == 0) {
        holding.groups.remove(use.group());
      }
    }

    private void count(double seconds) {
      holdings.forEach((pair, queues) -> count(pair, queues, seconds));
    }

    private void count(FlavorResource pair, Map<String, Holding> queues, double seconds) {
      Map<Node, Double> borrowedOf = new HashMap<>();
      queues.forEach(
          (queue, holding) -> {
            if (holding.used <= 0) {
              return;
            }
            Node node = new Node(false, queue);
            long over = Math.max(0, holding.used - nominal(node, pair));
            double borrowed = parent(node) == null ? 0 : over;
            borrowedOf.merge(root(node), borrowed, Double::sum);
            holding.groups.forEach(
                (group, amount) -> {
                  UnitSeconds sum = sum(group, pair);
                  sum.held += amount * seconds;
                  sum.borrowed += borrowed * amount / holding.used * seconds;
                });
          });
      if (lends && borrowedOf.values().stream().anyMatch(it -> it > 0)) {
        lend(pair, queues, borrowedOf, seconds);
      }
    }

    private void lend(
        FlavorResource pair,
        Map<String, Holding> queues,
        Map<Node, Double> borrowedOf,
        double seconds) {
      Map<Node, Double> unusedOf = new HashMap<>();
      now.keySet().forEach(it -> unusedOf.merge(root(it), unused(it, pair, queues), Double::sum));
      for (Node node : now.keySet()) {
        Node root = root(node);
        double borrowed = borrowedOf.getOrDefault(root, 0.0);
        double all = unusedOf.getOrDefault(root, 0.0);
        double own = unused(node, pair, queues);
        if (!node.cohort() && borrowed > 0 && own > 0) {
          sum(node.name(), pair).lent += Math.min(borrowed, all) * own / all * seconds;
        }
      }
    }

    private double unused(Node node, FlavorResource pair, Map<String, Holding> queues) {
      long nominal = nominal(node, pair);
      Holding holding = node.cohort() ? null : queues.get(node.name());
      return nominal == Amounts.UNLIMITED
          ? 0
          : Math.max(0, nominal - (holding == null ? 0 : holding.used));
    }

    private UnitSeconds sum(String group, FlavorResource pair) {
      return sums.computeIfAbsent(group, _ -> new TreeMap<>())
          .computeIfAbsent(pair, _ -> new UnitSeconds());
    }

    private long nominal(Node node, FlavorResource pair) {
      QuotaChange change = now.get(node);
      return change == null ? 0 : change.nominal().getOrDefault(pair, 0L);
    }

    private @Nullable Node parent(Node node) {
      QuotaChange change = now.get(node);
      return change == null || change.parent().isEmpty() ? null : new Node(true, change.parent());
    }

    /** The root of its tree; in a circle of cohorts, one of these. */
    private Node root(Node node) {
      Node known = roots.get(node);
      if (known != null) {
        return known;
      }
      Set<Node> passed = new HashSet<>();
      Node root = node;
      for (Node up = parent(node); up != null && passed.add(up); up = parent(up)) {
        root = up;
      }
      roots.put(node, root);
      return root;
    }
  }
}
