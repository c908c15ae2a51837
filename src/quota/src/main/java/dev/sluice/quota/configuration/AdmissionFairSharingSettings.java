package dev.sluice.quota.configuration;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/**
 * Fair sharing between the LocalQueues of one ClusterQueue (reference: 5.8).
 *
 * @param usageHalfLife after which what was used counts half; zero forgets at once
 * @param samplingInterval between two refreshes of a LocalQueue's usage
 * @param resourceWeights by resource; 1 for one that is not named
 */
public record AdmissionFairSharingSettings(
    Duration usageHalfLife, Duration samplingInterval, Map<String, BigDecimal> resourceWeights) {
  /** The interval when none is named. */
  public static final Duration DEFAULT_SAMPLING_INTERVAL = Duration.ofMinutes(5);

  public AdmissionFairSharingSettings {
    resourceWeights = Map.copyOf(resourceWeights);
  }
}
