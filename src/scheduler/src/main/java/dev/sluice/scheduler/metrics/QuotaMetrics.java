package dev.sluice.scheduler.metrics;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.Ledger;
import dev.sluice.quota.tree.Quota;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.ConditionType;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How quotas are, by ClusterQueue and by Cohort, and who is not admitted for which reason, as of
 * the last snapshot that was looked at. What is gone has no series. cpu is counted in cores.
 */
public final class QuotaMetrics {
  private static final String NO_RESERVATION = "NoReservation";
  private static final String PENDING = "PendingEvaluation";

  private final MeterRegistry registry;
  private final boolean resources;
  private final boolean fairSharing;
  private final Supplier<String> role;
  private final Map<String, MultiGauge> gauges = new HashMap<>();

  /**
   * Measures into a registry.
   *
   * @param resources whether the quotas and the use of each ClusterQueue are measured one by one
   * @param fairSharing whether there are shares
   * @param role whether we lead, follow or are alone
   */
  public QuotaMetrics(
      MeterRegistry registry, boolean resources, boolean fairSharing, Supplier<String> role) {
    this.registry = registry;
    this.resources = resources;
    this.fairSharing = fairSharing;
    this.role = role;
  }

  /** The quotas are so. */
  public synchronized void update(Snapshot snapshot) {
    Rows rows = new Rows(Tags.of("replica_role", role.get()));
    Holdings holdings = Holdings.of(snapshot, rows);
    for (QuotaTree tree : snapshot.trees()) {
      tree(rows, tree, holdings);
    }
    gauges.keySet().forEach(name -> rows.byName.putIfAbsent(name, List.of()));
    rows.byName.forEach(
        (name, values) ->
            gauges
                .computeIfAbsent(name, it -> MultiGauge.builder(it).register(registry))
                .register(values, true));
  }

  private void tree(Rows rows, QuotaTree tree, Holdings holdings) {
    TreeShape shape = tree.shape();
    Ledger ledger = tree.ledger();
    for (int node = 0; node < shape.size(); node++) {
      if (shape.isQueue(node)) {
        queue(rows, shape, ledger, node, holdings);
      } else {
        cohort(rows, shape, ledger, node);
      }
    }
  }

  private void queue(Rows rows, TreeShape shape, Ledger ledger, int node, Holdings holdings) {
    String name = shape.name(node).name();
    String cohort = parent(shape, node);
    rows.add(
        "kueue.cluster.queue.info",
        1,
        "cluster_queue",
        name,
        "parent_cohort",
        cohort,
        "root_cohort",
        root(shape));
    share(
        rows,
        ledger,
        node,
        "kueue.cluster.queue.weighted.share",
        "cluster_queue",
        name,
        "cohort",
        cohort);
    for (int column = 0; resources && column < shape.width(); column++) {
      if (shape.lists(node, column)) {
        pair(rows, shape, node, column, new Place(cohort, name, shape.pair(column)), holdings);
      }
    }
  }

  private void share(Rows rows, Ledger ledger, int node, String gauge, String... tags) {
    if (fairSharing) {
      double share = ledger.share(node).value();
      rows.add(gauge, Double.isInfinite(share) ? Double.NaN : share, tags);
    }
  }

  private record Place(String cohort, String queue, FlavorResource pair) {
    String[] tags() {
      return new String[] {
        "cohort",
        cohort,
        "cluster_queue",
        queue,
        "flavor",
        pair.flavor(),
        "resource",
        pair.resource()
      };
    }
  }

  private static void pair(
      Rows rows, TreeShape shape, int node, int column, Place place, Holdings holdings) {
    String resource = place.pair().resource();
    long nominal = shape.nominal(node, column);
    long borrowing = shape.borrowingLimit(node, column);
    long kept = shape.localQuota(node, column);
    String[] tags = place.tags();
    rows.add("kueue.cluster.queue.nominal.quota", cores(resource, nominal), tags);
    rows.add(
        "kueue.cluster.queue.borrowing.limit",
        borrowing == Quota.NO_LIMIT ? Double.POSITIVE_INFINITY : cores(resource, borrowing),
        tags);
    rows.add(
        "kueue.cluster.queue.lending.limit",
        kept == 0 ? Double.POSITIVE_INFINITY : cores(resource, nominal - kept),
        tags);
    Holdings.Use use = holdings.of(place.queue(), place.pair());
    rows.add("kueue.cluster.queue.resource.reservation", cores(resource, use.reserved), tags);
    rows.add("kueue.cluster.queue.resource.usage", cores(resource, use.used), tags);
  }

  private void cohort(Rows rows, TreeShape shape, Ledger ledger, int node) {
    String name = shape.name(node).name();
    rows.add(
        "kueue.cohort.info",
        1,
        "cohort",
        name,
        "parent_cohort",
        parent(shape, node),
        "root_cohort",
        root(shape));
    share(rows, ledger, node, "kueue.cohort.weighted.share", "cohort", name);
    for (int column = 0; column < shape.width(); column++) {
      if (shape.lists(node, column)) {
        FlavorResource pair = shape.pair(column);
        String[] tags = {"cohort", name, "flavor", pair.flavor(), "resource", pair.resource()};
        rows.add(
            "kueue.cohort.subtree.quota",
            cores(pair.resource(), shape.subtreeQuota(node, column)),
            tags);
        rows.add(
            "kueue.cohort.subtree.resource.reservations",
            cores(pair.resource(), ledger.usage(node, column)),
            tags);
      }
    }
  }

  private static String parent(TreeShape shape, int node) {
    int parent = shape.parent(node);
    return parent == TreeShape.NOWHERE ? "" : shape.name(parent).name();
  }

  private static String root(TreeShape shape) {
    return shape.isQueue(0) ? "" : shape.name(0).name();
  }

  private static double cores(String resource, long amount) {
    return Amount.toQuantity(resource, amount).value().doubleValue();
  }

  /** Series by the name of their gauge. */
  private static final class Rows {
    private final Map<String, List<Row<?>>> byName = new HashMap<>();
    private final Tags common;

    Rows(Tags common) {
      this.common = common;
    }

    void add(String name, double value, String... tags) {
      byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(Row.of(common.and(tags), value));
    }
  }

  /** What Workloads have of each ClusterQueue. */
  private static final class Holdings {
    private record Pair(String queue, FlavorResource pair) {}

    private record Waits(String queue, String reason, String cause) {}

    private static final class Use {
      private long reserved;
      private long used;
    }

    private record LocalPair(ObjectKey queue, FlavorResource pair) {}

    private final Map<Pair, Use> byPair = new HashMap<>();
    private final Map<LocalPair, Use> byLocalPair = new HashMap<>();
    private final Map<Waits, Integer> waiting = new HashMap<>();

    static Holdings of(Snapshot snapshot, Rows rows) {
      Holdings holdings = new Holdings();
      snapshot.workloads().forEach(workload -> holdings.add(snapshot, workload));
      holdings.waiting.forEach(
          (waits, count) ->
              rows.add(
                  "kueue.unadmitted.workloads",
                  count,
                  "cluster_queue",
                  waits.queue(),
                  "reason",
                  waits.reason(),
                  "underlying_cause",
                  waits.cause()));
      holdings.byLocalPair.forEach((at, use) -> local(rows, at, use));
      return holdings;
    }

    private static void local(Rows rows, LocalPair at, Use use) {
      String resource = at.pair().resource();
      String[] tags = {
        "name",
        at.queue().name(),
        "namespace",
        at.queue().namespace(),
        "flavor",
        at.pair().flavor(),
        "resource",
        resource
      };
      rows.add("kueue.local.queue.resource.reservation", cores(resource, use.reserved), tags);
      rows.add("kueue.local.queue.resource.usage", cores(resource, use.used), tags);
    }

    private void add(Snapshot snapshot, WorkloadState workload) {
      boolean admitted = workload.isTrue(ConditionType.ADMITTED);
      if (workload.holdsQuota()) {
        workload
            .usage()
            .forEach((pair, amount) -> hold(workload, pair, amount, admitted ? amount : 0));
      }
      if (!workload.finished() && !admitted) {
        wait(snapshot, workload);
      }
    }

    private void hold(WorkloadState workload, FlavorResource pair, long reserved, long used) {
      Use use = byPair.computeIfAbsent(new Pair(workload.reservedIn(), pair), _ -> new Use());
      use.reserved += reserved;
      use.used += used;
      ObjectKey queue = workload.localQueue();
      if (queue != null) {
        Use local = byLocalPair.computeIfAbsent(new LocalPair(queue, pair), _ -> new Use());
        local.reserved += reserved;
        local.used += used;
      }
    }

    private void wait(Snapshot snapshot, WorkloadState workload) {
      String queue = workload.holdsQuota() ? workload.reservedIn() : snapshot.queueFor(workload);
      if (queue != null) {
        String reason = reason(workload, ConditionType.ADMITTED, NO_RESERVATION);
        String cause =
            workload.holdsQuota() ? "" : reason(workload, ConditionType.QUOTA_RESERVED, PENDING);
        waiting.merge(new Waits(queue, reason, cause), 1, Integer::sum);
      }
    }

    private static String reason(WorkloadState workload, String type, String otherwise) {
      var condition = workload.condition(type);
      return condition == null ? otherwise : condition.reason();
    }

    Use of(String queue, FlavorResource pair) {
      return byPair.getOrDefault(new Pair(queue, pair), new Use());
    }
  }
}
