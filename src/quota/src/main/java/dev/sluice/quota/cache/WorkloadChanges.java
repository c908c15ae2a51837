package dev.sluice.quota.cache;

import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a change of a Workload means. */
final class WorkloadChanges {
  private WorkloadChanges() {}

  /**
   * Whether the second is not newer than the first, by resourceVersion; the API server counts
   * versions over all Workloads, so this also holds for two objects of one name.
   */
  static boolean outdated(Workload known, Workload told) {
    OptionalLong knownVersion = ResourceVersion.number(known.metadata().resourceVersion());
    OptionalLong toldVersion = ResourceVersion.number(told.metadata().resourceVersion());
    return knownVersion.isPresent()
        && toldVersion.isPresent()
        && toldVersion.getAsLong() <= knownVersion.getAsLong();
  }

  /**
   * Whether a change of a parked workload may change the decision about it: its spec, priority,
   * shape, queue position, checks, backoff, eviction or preemption gate.
   */
  static boolean reopens(WorkloadState old, WorkloadState workload) {
    return !old.workload().spec().equals(workload.workload().spec())
        || old.priority() != workload.priority()
        || !old.shape().equals(workload.shape())
        || !old.queueTimestamp().equals(workload.queueTimestamp())
        || !old.workload()
            .status()
            .admissionChecks()
            .equals(workload.workload().status().admissionChecks())
        || !Objects.equals(old.backoffUntil(), workload.backoffUntil())
        || old.evicted() != workload.evicted()
        || old.preemptionGated() != workload.preemptionGated();
  }

  static boolean holdsTheSame(WorkloadState old, WorkloadState workload) {
    return workload.holdsQuota()
        && old.reservedIn().equals(workload.reservedIn())
        && old.usage().equals(workload.usage());
  }

  /**
   * Whether a search for victims sees no difference: neither in whether it is evicted nor in what
   * it is ranked by.
   */
  static boolean isSameCandidate(WorkloadState old, WorkloadState workload) {
    return old.evicted() == workload.evicted()
        && old.priority() == workload.priority()
        && old.uid().equals(workload.uid())
        && old.reservedSince(Instant.MAX).equals(workload.reservedSince(Instant.MAX))
        && old.queueTimestamp().equals(workload.queueTimestamp())
        && old.shape().equals(workload.shape());
  }

  /** The pairs of which the workload holds less than before; null holds nothing. */
  static Set<FlavorResource> released(WorkloadState old, @Nullable WorkloadState workload) {
    Usage rest =
        workload != null && workload.holdsQuota() && old.reservedIn().equals(workload.reservedIn())
            ? workload.usage()
            : Usage.NONE;
    Set<FlavorResource> pairs = new TreeSet<>();
    old.usage()
        .forEach(
            (pair, amount) -> {
              if (amount > rest.of(pair)) {
                pairs.add(pair);
              }
            });
    return pairs;
  }
}
