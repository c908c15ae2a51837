package dev.sluice.see.explain;

import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import java.util.Optional;

/** What a decision found for the PodSets of its workload. */
public final class Assignments {
  private Assignments() {}

  /** What was found for its PodSets; empty where nothing was looked for. */
  public static Optional<Assignment> of(Decision decision) {
    return switch (decision) {
      case Decision.Reserved it -> Optional.of(it.assignment());
      case Decision.Preempting it -> Optional.of(it.assignment());
      case Decision.Deferred it -> Optional.of(it.assignment());
      case Decision.Waiting it -> Optional.of(it.assignment());
      case Decision.Looping it -> Optional.of(it.assignment());
      case Decision.Gated it -> Optional.of(it.assignment());
      case Decision.Skipped it -> Optional.of(it.assignment());
      case Decision.Migrating it -> Optional.of(it.assignment());
      case Decision.KeptBack it -> Optional.of(it.assignment());
      case Decision.Blocked it -> Optional.of(it.assignment());
      case Decision.Displaced it -> Optional.of(it.assignment());
      case Decision.Refused _ -> Optional.empty();
    };
  }
}
