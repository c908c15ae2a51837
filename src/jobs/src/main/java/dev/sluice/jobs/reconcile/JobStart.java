package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.injection.Injections;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The steps that bring a job into its queue and start it: its Workload is created, and once that is
 * admitted, the job starts with what its flavors say. Each method returns when to look again though
 * nothing changed.
 */
record JobStart(Job job, JobWorld world, JobSettings settings, Instant now, Writes writes) {
  private static final int MAX_POD_SETS = 18;

  /** Plans for a job that has no Workload; while it may have Pods here, it gets none. */
  Optional<Instant> planWithoutWorkload() {
    String prebuilt = WorkloadMatcher.prebuiltName(job.meta(), settings);
    if (job.finish().isPresent()) {
      job.release(writes);
    } else if (!prebuilt.isEmpty()) {
      return waitForPrebuilt(prebuilt);
    } else if (!job.isActive() || job.isRunElsewhere() || Slices.areFor(job, settings)) {
      return create();
    }
    return Optional.empty();
  }

  private Optional<Instant> waitForPrebuilt(String name) {
    if (!job.isSuspended()) {
      job.stop(new Job.Stop("NoMatchingWorkload", "missing workload"), Optional.empty(), writes);
    }
    writes.await(WorkloadView.KIND, job.namespace(), name);
    return Optional.of(now.plus(JobReconciler.LATER));
  }

  private Optional<Instant> create() {
    if (waitsForSources()) {
      return Optional.of(now.plus(JobReconciler.LATER));
    }
    WorkloadMaker maker = new WorkloadMaker(settings);
    String name = maker.name(job);
    List<PodSetShape> podSets = job.podSets();
    if (podSets.isEmpty() || podSets.size() > MAX_POD_SETS) {
      String problem = "a job must have 1 to 18 pod sets, this one has " + podSets.size();
      writes.notice(job.kind(), job.tree(), "Warning", EventReasons.ERR_WORKLOAD_COMPOSE, problem);
      return Optional.empty();
    }
    Optional<WorkloadView> there =
        world.find(WorkloadView.KIND, job.namespace(), name).map(WorkloadView::new);
    if (there.isPresent()) {
      tellIfItStays(there.get());
      return Optional.of(now.plus(JobReconciler.SOON)); // ours that goes, or a stranger's
    }
    Priority.Found priority = Priority.of(job.meta(), job.traits().priorityClass(), podSets, world);
    if (priority.priority().isEmpty()) {
      priority.tellMissing(job.kind(), job.tree(), writes);
      return Optional.of(now.plus(JobReconciler.LATER));
    }
    ObjectNode spec = maker.spec(job.meta(), podSets, priority.priority().get());
    writes.create(WorkloadView.TYPE, maker.of(job, name, spec));
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.CREATED_WORKLOAD,
        "Created Workload: " + job.namespace() + "/" + name);
    return Optional.empty();
  }

  /** One that lost its owner is finished and stays, and then the job would wait without a word. */
  private void tellIfItStays(WorkloadView workload) {
    Optional<JobObject.Owner> controller = workload.meta().controller();
    boolean isOurs = controller.filter(it -> it.uid().equals(job.meta().uid())).isPresent();
    boolean isTaken = workload.isFinished() || controller.isPresent();
    if (isTaken && !isOurs && !workload.meta().isBeingDeleted()) {
      writes.notice(
          job.kind(),
          job.tree(),
          "Warning",
          EventReasons.ERR_WORKLOAD_COMPOSE,
          "Workload " + workload.fullName() + " exists and is not of this job; delete it");
    }
  }

  /** Starts a suspended job whose Workload is admitted. */
  Optional<Instant> start(WorkloadView workload) {
    if (waitsForSources()) {
      return Optional.of(now.plus(JobReconciler.LATER));
    }
    Injections injections = Injections.of(workload, world, settings);
    Optional<String> problem = injections.problem();
    Optional<String> missing = injections.missing();
    if (problem.isEmpty() && missing.isPresent()) {
      writes.await(ApiKind.RESOURCE_FLAVOR.groupKind(), "", missing.get());
      return Optional.of(now.plus(JobReconciler.SOON));
    }
    if (problem.isEmpty()) {
      String message = "Admitted by clusterQueue " + workload.clusterQueue();
      problem = job.start(injections.list(), message, writes);
    }
    problem.ifPresent(
        it -> WorkloadFinalizer.finish(workload, Reasons.FAILED_TO_START, it, now, writes));
    return Optional.empty();
  }

  private boolean waitsForSources() {
    Optional<TypedObjectKey> missing = Sources.missing(job, world);
    missing.ifPresent(it -> Sources.tellMissing(job, it, writes));
    return missing.isPresent();
  }
}
