package dev.sluice.quota.assign;

import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workload at the head of its queue.
 *
 * @param preemptor whether others are already being evicted for it
 * @param progress where its last search for flavors stopped, or null to start at the first
 * @param replaced the slice it takes over from, which holds quota, or null
 * @param searchedInParts whether several searches covered all flavors; the verdict shows only the
 *     last of them
 */
public record Head(
    WorkloadState workload,
    QueueRules rules,
    boolean preemptor,
    @Nullable LastAssignment progress,
    @Nullable WorkloadState replaced,
    boolean searchedInParts) {
  /** A head of which no verdict is known yet. */
  public Head(
      WorkloadState workload,
      QueueRules rules,
      boolean preemptor,
      @Nullable LastAssignment progress,
      @Nullable WorkloadState replaced) {
    this(workload, rules, preemptor, progress, replaced, false);
  }

  /** The same, whose search for flavors starts at the first. */
  public Head fromTheStart() {
    return new Head(workload, rules, preemptor, null, replaced, searchedInParts);
  }

  /** The same, of which all flavors were searched without success, in several parts. */
  public Head searchedInAllParts() {
    return new Head(workload, rules, preemptor, null, replaced, true);
  }

  /** The same, whose search for flavors continues where the one for that assignment stopped. */
  public Head after(Assignment assignment) {
    LastAssignment stopped = LastAssignment.of(assignment, 0, 0, workload.shape());
    return new Head(workload, rules, preemptor, stopped, replaced);
  }

  /**
   * Whether the workload has its quota and only needs places for its pods: after its checks, or
   * after nodes failed.
   */
  public boolean secondPass() {
    return workload.holdsQuota();
  }

  /** The nodes of its pods that failed. */
  public Set<String> failedNodes() {
    return secondPass() ? workload.failedNodes() : Set.of();
  }
}
