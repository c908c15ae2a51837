package dev.sluice.quota.configuration;

import java.util.List;

/** Fair sharing between the queues of a cohort, with its preemption strategies in order. */
public record FairSharingSettings(List<PreemptionStrategy> preemptionStrategies) {
  /** What it is when no strategy is named. */
  public static final FairSharingSettings DEFAULT =
      new FairSharingSettings(
          List.of(
              PreemptionStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
              PreemptionStrategy.LESS_THAN_INITIAL_SHARE));

  public FairSharingSettings {
    if (preemptionStrategies.isEmpty()) {
      throw new IllegalArgumentException("preemptionStrategies: [] (expected: at least one)");
    }
    preemptionStrategies = List.copyOf(preemptionStrategies);
  }
}
