package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.Evictions;
import dev.sluice.jobs.workload.OnHold;
import dev.sluice.jobs.workload.Readiness;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The steps of a job that is one object: the first step that has something to do ends the plan, and
 * its writes are observed before the next plan. For one thread and one plan.
 */
public final class JobReconciler {
  /** The interval of checking state that no event reports. */
  static final Duration SOON = Duration.ofSeconds(2);

  /** The interval of checking state that an event should report. */
  static final Duration LATER = Duration.ofSeconds(10);

  private final Job job;
  private final PlanContext context;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private final JobStart start;
  private final JobEviction eviction;
  private Optional<Instant> again = Optional.empty();

  public JobReconciler(Job job, PlanContext context, Writes writes) {
    this.job = job;
    this.context = context;
    this.world = context.world();
    this.settings = context.settings();
    this.now = context.now();
    this.writes = writes;
    this.start = new JobStart(job, world, settings, now, writes);
    this.eviction = new JobEviction(job, world, settings, now, writes);
  }

  /** When to look again though nothing changed. */
  public Optional<Instant> again() {
    return again;
  }

  private void lookAgain(Optional<Instant> at) {
    again = Stream.concat(at.stream(), again.stream()).min(Comparator.naturalOrder());
  }

  /** Plans for a job that may be managed by itself, by an owner, or not at all. */
  public void plan() {
    if (job.meta().isBeingDeleted()) {
      planDeleted();
      return;
    }
    if (!ManagedJobs.areIn(job.namespace(), world, settings)) {
      lookAgain(ManagedJobs.askAgain(job.namespace(), world, now));
      return;
    }
    if (!job.followsOwners()) {
      planTopLevel();
      return;
    }
    Ancestry ancestry = Ancestry.of(job.meta(), job.namespace(), world, settings);
    if (ancestry.missing().isPresent()) {
      awaitOwner(ancestry.missing().get());
    } else if (ancestry.isTooDeep()) {
      writes.notice(
          job.kind(),
          job.tree(),
          "Warning",
          "JobNestingTooDeep",
          "More than 10 owners stand above this job, or they go round in a circle");
    } else if (ancestry.manager().isPresent()) {
      new ChildReconciler(job, world, settings, writes).plan(ancestry.manager().get());
    } else {
      planTopLevel();
    }
  }

  private void awaitOwner(JobObject.Owner owner) {
    writes.await(owner.kind(), job.namespace(), owner.name());
    again = Optional.of(now.plus(SOON)); // it may have come during this plan
  }

  private void planDeleted() {
    if (job.traits().needsQuotaWhileDeleted()) {
      again = Optional.of(now.plus(LATER));
    } else {
      String name = job.tree().path("metadata").path("name").asText();
      WorkloadFinalizer.endAllOf(
          job.kind().groupKind(), job.namespace(), name, world, settings, now, writes);
    }
    job.release(writes);
  }

  private void planTopLevel() {
    if (ManagedJobs.include(job.meta(), settings)) {
      planManaged();
    }
  }

  /** Plans for a job that is queued itself and is not being deleted. */
  void planManaged() {
    Sources.follow(job, writes);
    var matcher = new WorkloadMatcher(job, context, writes);
    WorkloadMatcher.Match match = matcher.find();
    lookAgain(matcher.again());
    switch (match) {
      case WorkloadMatcher.Match.One(WorkloadView workload) -> planWith(workload);
      case WorkloadMatcher.Match.None() -> lookAgain(start.planWithoutWorkload());
      case WorkloadMatcher.Match.Wait() -> {
        if (writes.isEmpty()) {
          again = Optional.of(now.plus(LATER));
        }
      }
    }
  }

  /** Plans for a job with its one Workload. */
  public void planWith(WorkloadView workload) {
    if (workload.isFinished()) {
      letGo(workload);
    } else if (workload.meta().isBeingDeleted()) {
      followDeletion(workload);
    } else if (job.traits().isOnHold()) {
      hold(workload);
    } else if (job.finish().isPresent()) {
      Job.Finish finish = job.finish().get();
      String reason = finish.succeeded() ? Reasons.SUCCEEDED : Reasons.FAILED;
      WorkloadFinalizer.finish(workload, reason, finish.message(), now, writes);
    } else if (OnHold.isHeld(workload)) {
      OnHold.end(workload, settings, now, writes);
    } else if (!noteReclaimable(workload) && !noteReadiness(workload)) {
      if (workload.isEvicted()) {
        planEvicted(workload);
      } else if (job.isSuspended()) {
        planSuspended(workload);
      } else if (job.isHalfStopped()) {
        completeStop(workload); // then it starts again, if it may
      } else if (!workload.isAdmitted() && !Slices.holdPods(job, settings)) {
        job.stop(
            new Job.Stop("NotAdmitted", "Not admitted by cluster queue"),
            Optional.of(workload),
            writes);
      }
    }
  }

  private void completeStop(WorkloadView workload) {
    job.stop(
        new Job.Stop("NotAdmitted", "A stop that was begun is completed"),
        Optional.of(workload),
        writes);
  }

  /** A prebuilt Workload need not have our finalizer, which otherwise tells that this is new. */
  private void letGo(WorkloadView workload) {
    String message = "Workload '" + workload.fullName() + "' is declared finished";
    if (workload.hasFinalizer()) {
      WorkloadFinalizer.release(workload, writes);
      writes.event(job.kind(), job.tree(), EventReasons.FINISHED_WORKLOAD, message);
    } else if (!WorkloadMatcher.prebuiltName(job.meta(), settings).isEmpty()) {
      writes.notice(job.kind(), job.tree(), "Normal", EventReasons.FINISHED_WORKLOAD, message);
    }
    job.release(writes);
  }

  /** Deleting the Workload releases its quota, so it stays until no Pod of the job runs. */
  private void followDeletion(WorkloadView workload) {
    boolean ended = job.finish().isPresent();
    if (!ended) {
      job.stop(
          new Job.Stop(Job.Stop.WORKLOAD_DELETED, "Workload is deleted"),
          Optional.of(workload),
          writes);
    }
    if (writes.isEmpty() && (ended || eviction.hasStopped(workload))) {
      WorkloadFinalizer.release(workload, writes);
    }
  }

  /** The job is suspended first, since it might recover before its next plan. */
  private void hold(WorkloadView workload) {
    if (!job.isSuspended()) {
      job.stop(
          new Job.Stop(PendingReason.ON_HOLD.text(), "Job is on hold"),
          Optional.of(workload),
          writes);
    }
    if (writes.isEmpty() && !OnHold.isHeld(workload)) {
      OnHold.begin(workload, "Job is on hold", settings, now, writes);
    }
  }

  /** Updates the reclaimable Pods. */
  private boolean noteReclaimable(WorkloadView workload) {
    if (!settings.isOn(FeatureGate.RECLAIMABLE_PODS)) {
      return false;
    }
    var reclaimable = new Reclaimable(job, workload, settings);
    Map<String, Integer> counts = reclaimable.counts();
    if (counts.equals(reclaimable.before())) {
      return false;
    }
    ObjectNode status = Patches.object();
    if (counts.isEmpty()) {
      status.putNull(Reclaimable.FIELD);
    } else {
      ArrayNode list = status.putArray(Reclaimable.FIELD);
      counts.forEach((name, count) -> list.addObject().put("name", name).put("count", count));
    }
    writes.patchStatus(WorkloadView.TYPE, workload.tree(), status, "kueue-reclaimable-pods");
    return true;
  }

  private boolean noteReadiness(WorkloadView workload) {
    if (!settings.watchesReadiness()) {
      return false;
    }
    boolean isReady =
        workload.isAdmitted() && (job.isReady(workload) || world.isReadyElsewhere(workload.tree()));
    Optional<Instant> start = Readiness.firstNote(workload, isReady);
    if (start.filter(now::isBefore).isPresent()) {
      lookAgain(start);
      return false;
    }
    return Readiness.note(workload, isReady, now, writes);
  }

  private void planEvicted(WorkloadView workload) {
    lookAgain(eviction.plan(workload));
    if (writes.isEmpty() && !workload.hasReservation()) {
      followQueue(workload);
    }
  }

  private void planSuspended(WorkloadView workload) {
    if (workload.isAdmitted()) {
      if (!isHeldForAnotherCluster(workload)) {
        lookAgain(start.start(workload));
      }
    } else if (job.isHalfStopped()) {
      completeStop(workload);
    } else if (workload.hasReservation()) {
      tellOfChecks(workload);
    } else {
      followQueue(workload);
    }
  }

  private boolean isHeldForAnotherCluster(WorkloadView workload) {
    return job.traits().runsWhereItStarts() && world.remoteStop(workload.tree()).isElsewhere();
  }

  private void tellOfChecks(WorkloadView workload) {
    List<String> texts = new ArrayList<>();
    for (JsonNode check : workload.tree().path("status").path("admissionChecks")) {
      String message = check.path("message").asText("");
      if (check.path("state").asText().equals("Pending") && !message.isEmpty()) {
        texts.add(check.path("name").asText() + ": " + message);
      }
    }
    if (!texts.isEmpty()) {
      writes.notice(
          job.kind(),
          job.tree(),
          "Normal",
          EventReasons.UPDATED_ADMISSION_CHECK,
          String.join("; ", texts));
    }
  }

  private void followQueue(WorkloadView workload) {
    if (job.movesItsWorkload()) {
      Evictions.followQueue(job.meta(), workload, writes);
    }
  }
}
