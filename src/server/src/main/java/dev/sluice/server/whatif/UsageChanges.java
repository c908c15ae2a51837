package dev.sluice.server.whatif;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.see.whatif.WhatIfResult.UsageChange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What ClusterQueues use at two moments. */
final class UsageChanges {
  private UsageChanges() {}

  /** What differs, by ClusterQueue. */
  static List<UsageChange> between(Snapshot before, Snapshot after) {
    List<UsageChange> changes = new ArrayList<>();
    Set<String> queues = new LinkedHashSet<>(before.clusterQueues());
    queues.addAll(after.clusterQueues());
    for (String queue : queues) {
      Map<FlavorResource, Snapshot.Standing> old = before.standing(queue);
      Map<FlavorResource, Snapshot.Standing> now = after.standing(queue);
      Set<FlavorResource> pairs = new LinkedHashSet<>(old.keySet());
      pairs.addAll(now.keySet());
      for (FlavorResource pair : pairs) {
        Amount used = used(old.get(pair));
        Amount wouldUse = used(now.get(pair));
        if (!used.equals(wouldUse)) {
          changes.add(new UsageChange(queue, pair, used, wouldUse));
        }
      }
    }
    return changes;
  }

  private static Amount used(Snapshot.@Nullable Standing standing) {
    return standing == null ? Amount.ZERO : standing.used();
  }
}
