package dev.sluice.quota.cycle;

/**
 * Why a head is requeued. The reason decides whether it becomes inadmissible or is considered in
 * the next cycle.
 */
public enum RequeueReason {
  /** It does not: it has quota. */
  NONE(false),
  GENERIC(false),
  NAMESPACE_MISMATCH(false),
  UNCOUNTABLE_DEVICES(false),
  NO_FIT(false),
  NO_CANDIDATES(false),
  PREEMPTION_GATED(false),
  FAILED_AFTER_NOMINATION(true),
  PENDING_PREEMPTION(true),
  PENDING_MIGRATION(true);

  private final boolean atOnce;

  RequeueReason(boolean atOnce) {
    this.atOnce = atOnce;
  }

  /** Whether it is considered again in the next cycle, also in a BestEffortFIFO queue. */
  public boolean atOnce() {
    return atOnce;
  }

  /** Whether other workloads may be admitted meanwhile, even in a StrictFIFO queue. */
  public boolean stepsAside() {
    return this == NAMESPACE_MISMATCH || this == UNCOUNTABLE_DEVICES;
  }

  /** Whether it holds for all that have the same shape. */
  public boolean forItsShape() {
    return this == NO_FIT || this == NO_CANDIDATES;
  }
}
