package dev.sluice.webhook.fence;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Usage;

/**
 * Quota that a Workload holds, or will hold once the write is stored.
 *
 * @param uid of the Workload
 * @param version the resourceVersion of the Workload that it was decided for, or at which it has it
 */
public record Reservation(
    ObjectKey workload, String uid, long version, String clusterQueue, Usage usage) {
  public Reservation {
    requireNonNull(workload, "workload");
    requireNonNull(uid, "uid");
    requireNonNull(clusterQueue, "clusterQueue");
    requireNonNull(usage, "usage");
  }

  /** Whether the snapshot shows its outcome. */
  boolean isSettledBy(Snapshot snapshot) {
    Workload seen = snapshot.workload(workload);
    return seen != null && FencedQuotaView.version(seen) > version;
  }

  /** This reservation with another usage. */
  Reservation with(Usage changed) {
    return new Reservation(workload, uid, version, clusterQueue, changed);
  }
}
