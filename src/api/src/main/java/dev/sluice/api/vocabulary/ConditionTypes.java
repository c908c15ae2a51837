package dev.sluice.api.vocabulary;

/** The types of conditions that Kueue and Sluice write or read. */
public final class ConditionTypes {
  /** Of a Workload: it holds quota. */
  public static final String QUOTA_RESERVED = "QuotaReserved";

  /** Of a Workload: its job may run. */
  public static final String ADMITTED = "Admitted";

  /** Of a Workload: its job has to stop. */
  public static final String EVICTED = "Evicted";

  /** Of a Workload: it was evicted for another one. */
  public static final String PREEMPTED = "Preempted";

  /** Of a Workload: whether it may be queued again after an eviction. */
  public static final String REQUEUED = "Requeued";

  /** Of a Workload: its job has ended. */
  public static final String FINISHED = "Finished";

  /** Of a Workload: all Pods of its job are ready. */
  public static final String PODS_READY = "PodsReady";

  /** Of a Workload: it may not preempt before its gates open. */
  public static final String BLOCKED_ON_PREEMPTION_GATES = "BlockedOnPreemptionGates";

  /** Of a Workload of a Pod group: some of its Pods ended and others are to replace them. */
  public static final String WAITING_FOR_REPLACEMENT_PODS = "WaitingForReplacementPods";

  /** Of a Workload: it is to be deactivated. */
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";

  /** Of a Workload: its stored places cannot be booked. Only Sluice writes it. */
  public static final String IMPOSSIBLE_PLACEMENT = Domains.SLUICE + "ImpossiblePlacement";

  /** Of a queue or an AdmissionCheck: it admits Workloads. */
  public static final String ACTIVE = "Active";

  private ConditionTypes() {}
}
