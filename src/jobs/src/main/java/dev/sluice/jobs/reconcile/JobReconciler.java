package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.injection.Injections;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.Evictions;
import dev.sluice.jobs.workload.OnHold;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.Readiness;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of a job that is one object: the first step that has something to do ends the plan, and
 * its writes are observed before the next plan. For one thread and one plan.
 */
public final class JobReconciler {
  /** The interval of checking state that no event reports. */
  static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration LATER = Duration.ofSeconds(10);
  private static final int MAX_POD_SETS = 18;
  private static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private final Job job;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private Optional<Instant> again = Optional.empty();

  public JobReconciler(Job job, JobWorld world, JobSettings settings, Instant now, Writes writes) {
    this.job = job;
    this.world = world;
    this.settings = settings;
    this.now = now;
    this.writes = writes;
  }

  /** When to look again though nothing changed. */
  public Optional<Instant> again() {
    return again;
  }

  /** Plans for a job that may be managed by itself, by an owner, or not at all. */
  public void plan() {
    if (job.meta().isBeingDeleted()) {
      planDeleted();
      return;
    }
    if (!isManagedNamespace(namespace(), world, settings)) {
      return;
    }
    if (!job.followsOwners()) {
      planTopLevel();
      return;
    }
    Ancestry ancestry = Ancestry.of(job.meta(), namespace(), world, settings);
    if (ancestry.missing().isPresent()) {
      again = Optional.of(now.plus(SOON));
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

  private void planDeleted() {
    if (job.traits().needsQuotaWhileDeleted()) {
      again = Optional.of(now.plus(LATER));
    } else {
      end(job.kind().groupKind(), namespace(), name(), world, settings, now, writes);
    }
    job.release(writes);
  }

  private void planTopLevel() {
    if (isManaged(job.meta(), settings)) {
      planManaged();
    }
  }

  /** Ends the Workloads of a job that was or is being deleted. */
  public static void end(
      GroupKind kind,
      String namespace,
      String name,
      JobWorld world,
      JobSettings settings,
      Instant now,
      Writes writes) {
    for (JsonNode tree : world.workloadsOwnedBy(kind, namespace, name)) {
      var workload = new WorkloadView(tree);
      boolean isControlled =
          workload
              .meta()
              .controller()
              .filter(it -> it.kind().equals(kind) && it.name().equals(name))
              .isPresent();
      if (isControlled) {
        WorkloadFinalizer.end(workload, settings, now, writes);
      }
    }
  }

  /** Whether jobs are managed there; a namespace that is not seen yet is known by its name. */
  public static boolean isManagedNamespace(String namespace, JobWorld world, JobSettings settings) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(NAME_LABEL, namespace);
    world
        .find(NAMESPACE, "", namespace)
        .ifPresent(
            it ->
                it.path("metadata")
                    .path("labels")
                    .properties()
                    .forEach(label -> labels.put(label.getKey(), label.getValue().asText())));
    return settings.management().namespaces().matches(labels);
  }

  /** Whether a job is managed by its labels, or because all jobs are. */
  public static boolean isManaged(JobObject job, JobSettings settings) {
    return settings.management().withoutQueueName() || !job.queueName().isEmpty();
  }

  /**
   * Whether a managed owner above an object decides for it.
   *
   * @return empty while an owner is not seen yet, or if the owners cannot be followed
   */
  public static Optional<Boolean> isLedByOwner(
      JobObject object, String namespace, JobWorld world, JobSettings settings) {
    Ancestry ancestry = Ancestry.of(object, namespace, world, settings);
    return ancestry.missing().isPresent() || ancestry.isTooDeep()
        ? Optional.empty()
        : Optional.of(ancestry.manager().isPresent());
  }

  private String namespace() {
    return job.tree().path("metadata").path("namespace").asText();
  }

  private String name() {
    return job.tree().path("metadata").path("name").asText();
  }

  /** Plans for a job that answers for itself and is not being deleted. */
  void planManaged() {
    Sources.follow(job, writes);
    switch (new WorkloadMatcher(job, world, settings, now, writes).find()) {
      case WorkloadMatcher.Match.One(WorkloadView workload) -> planWith(workload);
      case WorkloadMatcher.Match.None() -> planWithout();
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

  private void letGo(WorkloadView workload) {
    if (workload.hasFinalizer()) {
      WorkloadFinalizer.release(workload, writes);
      writes.event(
          job.kind(),
          job.tree(),
          EventReasons.FINISHED_WORKLOAD,
          "Workload '" + workload.fullName() + "' is declared finished");
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
    if (writes.isEmpty() && (ended || hasStopped(workload))) {
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
      again = start;
      return false;
    }
    return Readiness.note(workload, isReady, now, writes);
  }

  private void planEvicted(WorkloadView workload) {
    boolean holds = workload.hasReservation();
    if (holds || !job.isSuspended() || job.isHalfStopped()) {
      String message = workload.text(ConditionTypes.EVICTED, "message");
      job.stop(
          new Job.Stop(
              "WorkloadEvictedDueTo" + workload.text(ConditionTypes.EVICTED, "reason"), message),
          Optional.of(workload),
          writes);
    }
    if (!writes.isEmpty()) {
      return;
    }
    if (holds) {
      if (hasStopped(workload)) {
        Evictions.clear(workload, settings, now, writes);
      }
      return;
    }
    if (!isOverdue(workload)) {
      followQueue(workload);
    }
  }

  /** What a job here says of Pods on another cluster is a copy, and may be old. */
  private boolean hasStopped(WorkloadView workload) {
    return switch (world.remoteStop(workload.tree())) {
      case LOCAL, UNFOLLOWED -> !job.isActive();
      case MAY_RUN -> false; // when the last Pods have ended, the job is planned again
      case CERTAIN -> true;
    };
  }

  /** Deletes a job that we gave up on once it was kept long enough. */
  private boolean isOverdue(WorkloadView workload) {
    boolean isGivenUp =
        workload
                .text(ConditionTypes.EVICTED, "reason")
                .startsWith(Reasons.DEACTIVATED + Reasons.DUE_TO)
            && !workload.isActive();
    if (!isGivenUp || settings.afterDeactivated().isEmpty()) {
      return false;
    }
    Instant end =
        Instant.parse(workload.text(ConditionTypes.EVICTED, "lastTransitionTime"))
            .plus(settings.afterDeactivated().get());
    if (now.isBefore(end)) {
      again = Optional.of(end);
      return false;
    }
    if (!job.delete(writes)) {
      return false;
    }
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.DELETED,
        "Deactivated by Kueue, and kept as long as configured");
    return true;
  }

  private void planSuspended(WorkloadView workload) {
    if (workload.isAdmitted()) {
      if (!isHeldForAnotherCluster(workload)) {
        start(workload);
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

  private void start(WorkloadView workload) {
    if (waitsForSources()) {
      return;
    }
    Injections injections = Injections.of(workload, world, settings);
    Optional<String> problem = injections.problem();
    if (problem.isEmpty() && injections.missing().isPresent()) {
      again = Optional.of(now.plus(SOON));
      injections
          .missing()
          .ifPresent(it -> writes.await(ApiKind.RESOURCE_FLAVOR.groupKind(), "", it));
      return;
    }
    if (problem.isEmpty()) {
      String message = "Admitted by clusterQueue " + workload.clusterQueue();
      problem = job.start(injections.list(), message, writes);
    }
    problem.ifPresent(it -> WorkloadFinalizer.finish(workload, "FailedToStart", it, now, writes));
  }

  private boolean waitsForSources() {
    Optional<TypedObjectKey> missing = Sources.missing(job, world);
    missing.ifPresent(
        it -> {
          Sources.tellMissing(job, it, writes);
          again = Optional.of(now.plus(LATER));
        });
    return missing.isPresent();
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

  private void planWithout() {
    if (job.finish().isPresent()) {
      job.release(writes);
    } else if (!WorkloadMatcher.prebuiltName(job.meta(), settings).isEmpty()) {
      waitForPrebuilt();
    } else if (!job.isActive() || Slices.areFor(job, settings)) {
      create();
    }
  }

  private void waitForPrebuilt() {
    if (!job.isSuspended()) {
      job.stop(new Job.Stop("NoMatchingWorkload", "missing workload"), Optional.empty(), writes);
    }
    writes.await(
        WorkloadView.KIND, namespace(), WorkloadMatcher.prebuiltName(job.meta(), settings));
    again = Optional.of(now.plus(LATER));
  }

  private void create() {
    if (waitsForSources()) {
      return;
    }
    WorkloadMaker maker = new WorkloadMaker(settings);
    String name = maker.name(job);
    List<PodSetShape> podSets = job.podSets();
    if (podSets.isEmpty() || podSets.size() > MAX_POD_SETS) {
      compose("a job must have 1 to 18 pod sets, this one has " + podSets.size());
      return;
    }
    if (world.find(WorkloadView.KIND, namespace(), name).isPresent()) {
      again = Optional.of(now.plus(SOON)); // ours that goes, or a stranger's
      return;
    }
    Priority.Found priority = Priority.of(job.meta(), job.traits().priorityClass(), podSets, world);
    if (priority.priority().isEmpty()) {
      again = Optional.of(now.plus(LATER));
      priority.tellMissing(job.kind(), job.tree(), writes);
      return;
    }
    ObjectNode spec = maker.spec(job.meta(), podSets, priority.priority().get());
    writes.create(WorkloadView.TYPE, maker.of(job, name, spec));
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.CREATED_WORKLOAD,
        "Created Workload: " + namespace() + "/" + name);
  }

  private void compose(String problem) {
    writes.notice(job.kind(), job.tree(), "Warning", EventReasons.ERR_WORKLOAD_COMPOSE, problem);
  }
}
