package dev.sluice.quota.world;

/** The conditions of a Workload that the engine reads or writes. */
public final class ConditionType {
  public static final String QUOTA_RESERVED = "QuotaReserved";
  public static final String ADMITTED = "Admitted";
  public static final String EVICTED = "Evicted";
  public static final String PREEMPTED = "Preempted";
  public static final String REQUEUED = "Requeued";
  public static final String FINISHED = "Finished";
  public static final String PODS_READY = "PodsReady";
  public static final String BLOCKED_ON_PREEMPTION_GATES = "BlockedOnPreemptionGates";
  public static final String WAITING_FOR_REPLACEMENT_PODS = "WaitingForReplacementPods";

  private ConditionType() {}
}
