package dev.sluice.quota.decision;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.util.Objects;

/**
 * The change of a decision to the status of one Workload. The engine already counts it.
 *
 * @param before the Workload before the decision
 * @param after the same Workload with the new status; {@code before} itself if it is unchanged
 */
public record StatusChange(WorkloadState before, WorkloadState after) {
  /** Namespace and name of the Workload. */
  public ObjectKey workload() {
    return after.key();
  }

  /** Whether the decided status differs from the one before. */
  @SuppressWarnings("ReferenceEquality") // most heads keep their status, and are the same object
  public boolean isReal() {
    return before != after && !before.workload().status().equals(after.workload().status());
  }

  /** Whether both lead from an equal Workload to an equal one. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StatusChange that
        && before.workload().equals(that.before.workload())
        && after.workload().equals(that.after.workload());
  }

  @Override
  public int hashCode() {
    return Objects.hash(before.workload(), after.workload());
  }
}
