package dev.sluice.quota.decision;

/** How an assignment as a whole can be served; each is better than the one before. */
public enum Mode {
  NO_FIT,
  PREEMPT,
  /** It fits as soon as workloads that are already being evicted are gone. */
  DEFERRED_FIT,
  FIT;

  static Mode of(FlavorMode mode) {
    return switch (mode) {
      case NO_FIT -> NO_FIT;
      case NO_CANDIDATES, PREEMPT, RECLAIM -> PREEMPT;
      case FIT -> FIT;
    };
  }
}
