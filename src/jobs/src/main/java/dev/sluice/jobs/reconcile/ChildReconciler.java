package dev.sluice.jobs.reconcile;

import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.function.Predicate;

/** Runs a job that a managed owner created only while the Workload of that owner allows it. */
record ChildReconciler(Job job, JobWorld world, JobSettings settings, Writes writes) {
  void plan(Ancestry.Owner owner) {
    if (job.finish().isPresent()) {
      return;
    }
    List<WorkloadView> open = open(owner);
    if (mayRun(open)) {
      resume();
    } else if (!job.isSuspended() && !waitsForSlices(open) && job.suspend(writes)) {
      writes.event(
          job.kind(), job.tree(), EventReasons.SUSPENDED, "Kueue managed child job suspended");
    }
  }

  /** Most operators resume their own children. Ray's operator does not. */
  private boolean isResumedByUs() {
    return job.traits().resumesWithOwner()
        || job.meta()
            .controller()
            .filter(it -> it.kind().group().equals(Framework.RAY_JOB.type().group()))
            .isPresent();
  }

  private List<WorkloadView> open(Ancestry.Owner owner) {
    String namespace = job.tree().path("metadata").path("namespace").asText();
    return world.workloadsOwnedBy(owner.kind(), namespace, owner.name()).stream()
        .map(WorkloadView::new)
        .filter(it -> !it.isFinished() && isControlledBy(it, owner.uid()))
        .toList();
  }

  private static boolean isControlledBy(WorkloadView workload, String uid) {
    return workload.meta().controller().filter(it -> it.uid().equals(uid)).isPresent();
  }

  /** A growing owner runs with an older Workload while its newest one waits. */
  private boolean mayRun(List<WorkloadView> open) {
    Predicate<WorkloadView> isAllowed =
        it -> it.isAdmitted() && !(job.traits().resumesWithOwner() && it.isEvicted());
    return areSlices(open)
        ? open.stream().anyMatch(it -> it.hasReservation() && !it.isEvicted())
        : open.stream().max(WorkloadView.BY_AGE).filter(isAllowed).isPresent();
  }

  /** Whether its Pods are gated one by one until the owner has quota for them. */
  private boolean waitsForSlices(List<WorkloadView> open) {
    return areSlices(open)
        && SliceOrder.newest(open).filter(it -> !it.isEvicted()).isPresent()
        && Slices.holdPods(job, settings);
  }

  private static boolean areSlices(List<WorkloadView> workloads) {
    return workloads.stream().anyMatch(it -> !SliceOrder.origin(it.tree()).isEmpty());
  }

  private void resume() {
    if (isResumedByUs() && job.isSuspended() && job.resume(writes)) {
      writes.event(job.kind(), job.tree(), EventReasons.STARTED, "Kueue managed child job resumed");
    }
  }
}
