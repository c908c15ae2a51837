package dev.sluice.cli.outage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue or Cohort with its quota of cpu in the only flavor. The sums are computed here and
 * not by the engine, so that its errors are not repeated.
 *
 * @param parent the cohort that it is in; null for the root
 * @param limit how much may be borrowed; null for any
 * @param lent how much may be lent; null for all
 * @param children empty for a ClusterQueue
 */
record QueueNode(
    String name,
    @Nullable String parent,
    long cpu,
    @Nullable Long limit,
    @Nullable Long lent,
    List<QueueNode> children) {

  static QueueNode queue(String name, long cpu, @Nullable Long limit, @Nullable Long lent) {
    return new QueueNode(name, null, cpu, limit, lent, List.of());
  }

  static QueueNode cohort(String name, List<QueueNode> children) {
    return new QueueNode(
        name,
        null,
        0,
        null,
        null,
        children.stream()
            .map(it -> new QueueNode(it.name, name, it.cpu, it.limit, it.lent, it.children))
            .toList());
  }

  /** What it and those below own, less what those keep for themselves; in thousandths. */
  private long owned() {
    long owned = 1_000 * cpu;
    for (QueueNode child : children) {
      owned += child.owned() - child.kept();
    }
    return owned;
  }

  private long kept() {
    return lent == null ? 0 : Math.max(0, owned() - 1_000 * lent);
  }

  private long used(Map<String, Long> held) {
    long used = held.getOrDefault(name, 0L);
    for (QueueNode child : children) {
      used += Math.max(0, child.used(held) - child.kept());
    }
    return used;
  }

  /** Adds a sentence for each subtree that uses more than it may. */
  void check(Map<String, Long> held, List<String> breaches) {
    long used = used(held);
    boolean bounded = parent == null || limit != null;
    long most = owned() + (parent == null || limit == null ? 0 : 1_000 * limit);
    if (bounded && used > most) {
      breaches.add("%s uses %d of %d thousandths of a cpu".formatted(name, used, most));
    }
    children.forEach(child -> child.check(held, breaches));
  }

  /** Whether nothing waits in this ClusterQueue or holds its quota, as its status says. */
  boolean isEmpty(ApiClient api) {
    JsonNode status =
        api.get(Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, name))
            .orThrow()
            .json()
            .path("status");
    return status.path("reservingWorkloads").asInt(-1) == 0
        && status.path("pendingWorkloads").asInt(-1) == 0
        && status.at("/flavorsReservation/0/resources/0/total").asText().equals("0");
  }

  /** All ClusterQueues of the tree. */
  List<QueueNode> queues() {
    return children.isEmpty()
        ? List.of(this)
        : children.stream().flatMap(child -> child.queues().stream()).toList();
  }
}
