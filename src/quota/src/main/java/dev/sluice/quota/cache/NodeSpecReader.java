package dev.sluice.quota.cache;

import dev.sluice.api.Quantity;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.FairSharing;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.ResourceGroup;
import dev.sluice.api.queue.ResourceQuota;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.NodeSpec;
import dev.sluice.quota.tree.Quota;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads ClusterQueues and Cohorts as nodes of a quota tree. */
public final class NodeSpecReader {
  private NodeSpecReader() {}

  public static NodeSpec of(ClusterQueue queue) {
    return new NodeSpec(
        NodeName.clusterQueue(queue.metadata().name()),
        named(queue.spec().cohortName()),
        weight(queue.spec().fairSharing()),
        quotas(queue.spec().resourceGroups()));
  }

  public static NodeSpec of(Cohort cohort) {
    return new NodeSpec(
        NodeName.cohort(cohort.metadata().name()),
        named(cohort.spec().parentName()),
        weight(cohort.spec().fairSharing()),
        quotas(cohort.spec().resourceGroups()));
  }

  private static @Nullable String named(@Nullable String name) {
    return name == null || name.isEmpty() ? null : name;
  }

  private static double weight(@Nullable FairSharing fairSharing) {
    return fairSharing == null
        ? NodeSpec.DEFAULT_WEIGHT
        : fairSharing.weight().value().doubleValue();
  }

  private static Map<FlavorResource, Quota> quotas(List<ResourceGroup> groups) {
    Map<FlavorResource, Quota> quotas = new HashMap<>();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          quotas.put(new FlavorResource(flavor.name(), quota.name()), quota(quota));
        }
      }
    }
    return quotas;
  }

  private static Quota quota(ResourceQuota quota) {
    String resource = quota.name();
    return new Quota(
        Amount.quota(resource, quota.nominalQuota()),
        limit(resource, quota.borrowingLimit()),
        limit(resource, quota.lendingLimit()));
  }

  private static long limit(String resource, @Nullable Quantity limit) {
    return limit == null ? Quota.NO_LIMIT : Amount.quota(resource, limit);
  }
}
