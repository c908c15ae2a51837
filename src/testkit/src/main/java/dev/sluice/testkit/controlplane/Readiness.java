package dev.sluice.testkit.controlplane;

import java.util.Optional;

/** What becomes of tests that need a control plane on this machine. */
sealed interface Readiness {
  /** They run. */
  record Ready() implements Readiness {}

  /** They are skipped, for the reason in the sentence. */
  record Skipped(String sentence) implements Readiness {}

  /** They fail, for the reason in the sentence. */
  record Failing(String sentence) implements Readiness {}

  /**
   * Decides.
   *
   * @param obstacle what stands in the way of a control plane, if anything
   * @param mustRun whether a skipped test would go unnoticed, or hide a mistake in the environment
   */
  static Readiness of(Optional<String> obstacle, boolean mustRun) {
    if (obstacle.isEmpty()) {
      return new Ready();
    }
    return mustRun ? new Failing(obstacle.get()) : new Skipped(obstacle.get());
  }
}
