package dev.sluice.scheduler.ledger;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.world.WorkloadState;

/**
 * One Workload that has quota, be it stored or only decided.
 *
 * @param version the resourceVersion of the Workload that it was decided for, or at which it has it
 */
public record Entry(
    ObjectKey workload, String uid, long version, String clusterQueue, Usage usage) {
  private static final long PRIME = 0x100000001b3L;
  private static final long BASIS = 0xcbf29ce484222325L;

  public Entry {
    requireNonNull(workload, "workload");
    requireNonNull(uid, "uid");
    requireNonNull(clusterQueue, "clusterQueue");
    requireNonNull(usage, "usage");
  }

  /** What a Workload has that has quota. */
  static Entry of(WorkloadState holder) {
    return new Entry(
        holder.key(),
        holder.uid(),
        ResourceVersion.number(holder.workload().metadata().resourceVersion()).orElse(0),
        holder.reservedIn(),
        holder.usage());
  }

  /** A number that is the same for equal entries everywhere, and hardly ever for others. */
  long digest() {
    String text = new Line.Put(this).text();
    long digest = BASIS;
    for (int i = 0; i < text.length(); i++) {
      digest = (digest ^ text.charAt(i)) * PRIME;
    }
    return digest ^ (digest >>> 31);
  }
}
