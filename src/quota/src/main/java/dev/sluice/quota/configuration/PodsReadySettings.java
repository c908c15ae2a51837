package dev.sluice.quota.configuration;

/**
 * What waiting for ready pods means for the order of queues and for admission (reference: 3.3,
 * 7.3).
 *
 * @param blockAdmission whether nothing is admitted while an admitted workload is not ready
 * @param requeueByCreation whether a workload evicted because its pods were not ready keeps its
 *     place by creation, instead of by its eviction
 */
public record PodsReadySettings(boolean blockAdmission, boolean requeueByCreation) {
  /** Neither. */
  public static final PodsReadySettings DEFAULT = new PodsReadySettings(false, false);
}
