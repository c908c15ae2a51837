package dev.sluice.quota.configuration;

import java.util.Optional;

/** When a queue may take from another one by its share (reference: 5.6). */
public enum PreemptionStrategy {
  /** The preemptor's new share is at most what the other is left with. */
  LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
  /** The preemptor's new share is below what the other had. */
  LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

  private final String text;

  PreemptionStrategy(String text) {
    this.text = text;
  }

  /** The strategy of that name in a configuration. */
  public static Optional<PreemptionStrategy> find(String text) {
    for (PreemptionStrategy strategy : values()) {
      if (strategy.text.equals(text)) {
        return Optional.of(strategy);
      }
    }
    return Optional.empty();
  }
}
