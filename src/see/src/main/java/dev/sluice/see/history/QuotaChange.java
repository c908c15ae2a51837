package dev.sluice.see.history;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.cache.NodeSpecReader;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.NodeSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ClusterQueue or cohort has these quotas from that moment on.
 *
 * @param parent the cohort that it is in; empty for none
 * @param nominal in the units of {@link dev.sluice.quota.amount.Amount}; nothing for one that is
 *     deleted
 */
public record QuotaChange(
    Instant at, boolean cohort, String name, String parent, Map<FlavorResource, Long> nominal)
    implements HistoryLine {
  public QuotaChange {
    nominal = Collections.unmodifiableMap(new TreeMap<>(nominal));
  }

  /** What the ClusterQueue has. */
  public static QuotaChange of(ClusterQueue queue, Instant at) {
    return of(NodeSpecReader.of(queue), at);
  }

  /** What the cohort itself has. */
  public static QuotaChange of(Cohort cohort, Instant at) {
    return of(NodeSpecReader.of(cohort), at);
  }

  private static QuotaChange of(NodeSpec spec, Instant at) {
    Map<FlavorResource, Long> nominal = new TreeMap<>();
    spec.quotas().forEach((pair, quota) -> nominal.put(pair, quota.nominal()));
    NodeName name = spec.name();
    String parent = spec.parent();
    return new QuotaChange(
        at, !name.isClusterQueue(), name.name(), parent == null ? "" : parent, nominal);
  }

  /** It is deleted. */
  public static QuotaChange gone(boolean cohort, String name, Instant at) {
    return new QuotaChange(at, cohort, name, "", Map.of());
  }

  /** Whether both say the same, at whatever time. */
  public boolean says(QuotaChange other) {
    return cohort == other.cohort
        && name.equals(other.name)
        && parent.equals(other.parent)
        && nominal.equals(other.nominal);
  }
}
