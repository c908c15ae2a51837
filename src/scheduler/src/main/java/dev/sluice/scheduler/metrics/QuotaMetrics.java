package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricDefinition.gauge;

import dev.sluice.api.Quantity;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.scheduler.metrics.QueueStats.Load;
import org.jspecify.annotations.Nullable;

/** How quotas are, by ClusterQueue and by Cohort. */
final class QuotaMetrics {
  private static final MetricDefinition INFO =
      gauge(
          "kueue_cluster_queue_info",
          "1: where the ClusterQueue stands",
          "cluster_queue",
          "parent_cohort",
          "root_cohort");
  private static final MetricDefinition SHARE =
      gauge(
          "kueue_cluster_queue_weighted_share",
          "The share of what it borrows, by its weight; not a number without weight",
          "cluster_queue",
          "cohort");
  private static final MetricDefinition NOMINAL =
      pair("nominal_quota", "The nominal quota; cpu in cores");
  private static final MetricDefinition BORROWING =
      pair("borrowing_limit", "How much it may borrow, infinite where that is not said");
  private static final MetricDefinition LENDING =
      pair("lending_limit", "How much it may lend, infinite where that is not said");
  private static final MetricDefinition RESERVATION =
      pair("resource_reservation", "What is reserved; cpu in cores");
  private static final MetricDefinition USAGE =
      pair("resource_usage", "What admitted Workloads have reserved; cpu in cores");
  private static final MetricDefinition COHORT_INFO =
      gauge(
          "kueue_cohort_info",
          "1: where the Cohort stands",
          "cohort",
          "parent_cohort",
          "root_cohort");
  private static final MetricDefinition COHORT_SHARE =
      gauge(
          "kueue_cohort_weighted_share",
          "The share of what it borrows, by its weight; not a number without weight",
          "cohort");
  private static final MetricDefinition COHORT_QUOTA =
      gauge(
          "kueue_cohort_subtree_quota",
          "The quota of all below the Cohort; cpu in cores",
          "cohort",
          "flavor",
          "resource");
  private static final MetricDefinition COHORT_RESERVATIONS =
      gauge(
          "kueue_cohort_subtree_resource_reservations",
          "What all below the Cohort have reserved of it; cpu in cores",
          "cohort",
          "flavor",
          "resource");
  private static final MetricDefinition COHORT_ADMITTED =
      gauge(
          "kueue_cohort_subtree_admitted_active_workloads",
          "Admitted Workloads of all below the Cohort, not finished",
          "cohort");

  private final MetricSettings settings;

  QuotaMetrics(MetricSettings settings) {
    this.settings = settings;
  }

  private static MetricDefinition pair(String name, String help) {
    return gauge(
        "kueue_cluster_queue_" + name, help, "cohort", "cluster_queue", "flavor", "resource");
  }

  void measure(Rows rows, Snapshot snapshot, QueueStats stats) {
    for (QuotaTree tree : snapshot.shownTrees()) {
      tree(rows, snapshot, stats, tree);
    }
  }

  private void tree(Rows rows, Snapshot snapshot, QueueStats stats, QuotaTree tree) {
    TreeShape shape = tree.shape();
    int[] admitted = new int[shape.size()];
    for (int node = 0; node < shape.size(); node++) {
      if (shape.isQueue(node)) {
        String name = shape.name(node).name();
        Load load = stats.clusterQueue(name);
        queue(rows, tree, node, snapshot.clusterQueue(name), load);
        for (int up = shape.parent(node); up != TreeShape.NOWHERE; up = shape.parent(up)) {
          admitted[up] += load.held.admitted();
        }
      }
    }
    for (int node = 0; node < shape.size(); node++) {
      if (!shape.isQueue(node)) {
        cohort(rows, tree, node, admitted[node]);
      }
    }
  }

  private void queue(Rows rows, QuotaTree tree, int node, @Nullable ClusterQueue queue, Load load) {
    TreeShape shape = tree.shape();
    String name = shape.name(node).name();
    String cohort = parent(shape, node);
    rows.add(INFO, 1, name, cohort, root(shape));
    if (settings.fairSharing()) {
      rows.add(SHARE, share(tree.ledger(), node), name, cohort);
    }
    for (int column = 0; settings.clusterQueueResources() && column < shape.width(); column++) {
      if (shape.lists(node, column)) {
        FlavorResource pair = shape.pair(column);
        String resource = pair.resource();
        String[] labels = {cohort, name, pair.flavor(), resource};
        rows.add(NOMINAL, Cores.of(resource, shape.nominal(node, column)), labels);
        rows.add(BORROWING, Cores.of(resource, shape.borrowingLimit(node, column)), labels);
        rows.add(LENDING, lending(queue, pair), labels);
        rows.add(RESERVATION, Cores.of(resource, load.held.reserved(pair)), labels);
        rows.add(USAGE, Cores.of(resource, load.held.used(pair)), labels);
      }
    }
  }

  /** The value in the spec: the tree does not distinguish lending all from having no limit. */
  private static double lending(@Nullable ClusterQueue queue, FlavorResource pair) {
    Quantity limit =
        queue == null
            ? null
            : queue.spec().resourceGroups().stream()
                .flatMap(group -> group.flavors().stream())
                .filter(flavor -> flavor.name().equals(pair.flavor()))
                .flatMap(flavor -> flavor.resources().stream())
                .filter(quota -> quota.name().equals(pair.resource()))
                .map(quota -> quota.lendingLimit())
                .filter(it -> it != null)
                .findFirst()
                .orElse(null);
    return limit == null
        ? Double.POSITIVE_INFINITY
        : Cores.of(pair.resource(), Amount.quota(pair.resource(), limit));
  }

  private void cohort(Rows rows, QuotaTree tree, int node, int admitted) {
    TreeShape shape = tree.shape();
    String name = shape.name(node).name();
    if (settings.fairSharing()) {
      rows.add(COHORT_SHARE, share(tree.ledger(), node), name);
    }
    if (!settings.cohorts()) {
      return;
    }
    rows.add(COHORT_INFO, 1, name, parent(shape, node), root(shape));
    rows.add(COHORT_ADMITTED, admitted, name);
    for (int column = 0; column < shape.width(); column++) {
      if (shape.lists(node, column)) {
        FlavorResource pair = shape.pair(column);
        String resource = pair.resource();
        String[] labels = {name, pair.flavor(), resource};
        rows.add(COHORT_QUOTA, Cores.of(resource, shape.subtreeQuota(node, column)), labels);
        rows.add(
            COHORT_RESERVATIONS, Cores.of(resource, tree.ledger().usage(node, column)), labels);
      }
    }
  }

  private static double share(QuotaUsage ledger, int node) {
    double share = ledger.share(node).value();
    return Double.isInfinite(share) ? Double.NaN : share;
  }

  private static String parent(TreeShape shape, int node) {
    int parent = shape.parent(node);
    return parent == TreeShape.NOWHERE ? "" : shape.name(parent).name();
  }

  private static String root(TreeShape shape) {
    return shape.isQueue(0) ? "" : shape.name(0).name();
  }
}
