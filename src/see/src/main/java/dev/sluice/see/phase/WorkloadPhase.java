package dev.sluice.see.phase;

import dev.sluice.api.meta.Spelled;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;

/** The phase of a workload, in one word. */
public enum WorkloadPhase implements Spelled {
  /** Its job has ended. */
  FINISHED(ConditionTypes.FINISHED),
  /** It has quota, but was evicted. */
  EVICTED(ConditionTypes.EVICTED),
  /** It has quota, and its pods may run. */
  ADMITTED(ConditionTypes.ADMITTED),
  /** It has quota, but a check or its placement is still to come. */
  RESERVED("Reserved"),
  /** It is in its queue, and the next cycles look at it. */
  PENDING("Pending"),
  /** It is parked until something changes that could help it. */
  INADMISSIBLE("Inadmissible"),
  /** It is in no queue: its queue is missing or stopped, or it may not be admitted. */
  UNQUEUED("Unqueued"),
  /** There is no such workload. */
  GONE("Gone");

  private final String text;

  WorkloadPhase(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }

  /** Whether it waits for quota. */
  public boolean waits() {
    return this == PENDING || this == INADMISSIBLE || this == UNQUEUED;
  }

  /**
   * The phase of a workload that is there.
   *
   * @param pending whether the next cycles consider it
   * @param parked whether it waits in a queue for an event
   */
  public static WorkloadPhase of(Workload workload, boolean pending, boolean parked) {
    if (workload.status().isTrue(ConditionTypes.FINISHED)) {
      return FINISHED;
    }
    if (QuotaHold.isReservedBy(workload)) {
      return workload.status().isTrue(ConditionTypes.EVICTED)
          ? EVICTED
          : workload.status().isTrue(ConditionTypes.ADMITTED) ? ADMITTED : RESERVED;
    }
    if (pending) {
      return PENDING;
    }
    return parked ? INADMISSIBLE : UNQUEUED;
  }
}
