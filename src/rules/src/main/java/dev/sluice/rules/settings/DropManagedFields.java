package dev.sluice.rules.settings;

/** Of which Workloads {@code metadata.managedFields} are dropped when they are created. */
public enum DropManagedFields {
  /** Of those that the scheduler creates. */
  SCHEDULER,
  /** Of all Workloads. */
  ALL,
  /** Of no Workload. */
  NONE
}
