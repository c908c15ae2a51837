package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.admission.NameSource;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the one Workload of a job, and plans what makes it match the job. */
public final class WorkloadMatcher {
  /** The Workload of a job. */
  sealed interface Match {
    /** The one. */
    record One(WorkloadView workload) implements Match {}

    /** There is none, and one may be created. */
    record None() implements Match {}

    /** Something was planned, or has to happen first; an event of the job reports it. */
    record Wait() implements Match {}
  }

  private static final Match WAIT = new Match.Wait();
  private static final String NO_MATCH = "NoMatchingWorkload";

  private final Job job;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private final Equivalence equivalence;
  private final JobEviction eviction;
  private Optional<Instant> again = Optional.empty();

  public WorkloadMatcher(Job job, PlanContext context, Writes writes) {
    this.job = job;
    this.world = context.world();
    this.settings = context.settings();
    this.now = context.now();
    this.writes = writes;
    this.equivalence = new Equivalence(settings, context.matches());
    this.eviction = new JobEviction(job, world, settings, now, writes);
  }

  /** When to look again though nothing changed. */
  public Optional<Instant> again() {
    return again;
  }

  /** The name of a prebuilt Workload of the job; empty if Sluice creates it. */
  public static String prebuiltName(JobObject job, JobSettings settings) {
    boolean annotations = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    return new NameSource(Labels.PREBUILT_WORKLOAD, annotations, true).name(job);
  }

  Match find() {
    String prebuilt = prebuiltName(job.meta(), settings);
    if (!prebuilt.isEmpty()) {
      return prebuilt(prebuilt);
    }
    List<WorkloadView> owned = owned();
    if (Slices.areFor(job, settings)) {
      Optional<WorkloadView> kept = new Slices(job, settings, now, writes).kept(owned);
      if (kept.isPresent()) {
        owned.stream()
            .filter(it -> writes.isEmpty() && !it.equals(kept.get()) && !it.isFinished())
            .forEach(this::handOn);
        return writes.isEmpty() ? follow(kept.get()) : WAIT;
      }
      owned.removeIf(WorkloadView::isFinished);
    }
    for (WorkloadView workload : owned) {
      if (equivalence.holds(job, workload, world)) {
        return only(workload, owned);
      }
    }
    return none(owned);
  }

  /** The Workloads of this job; those of an earlier job of its name are finished. */
  private List<WorkloadView> owned() {
    List<WorkloadView> owned = new ArrayList<>();
    String namespace = job.tree().path("metadata").path("namespace").asText();
    String name = job.tree().path("metadata").path("name").asText();
    for (JsonNode tree : world.workloadsOwnedBy(job.kind().groupKind(), namespace, name)) {
      var workload = new WorkloadView(tree);
      Optional<JobObject.Owner> controller = workload.meta().controller();
      if (controller.filter(it -> it.uid().equals(job.meta().uid())).isPresent()) {
        owned.add(workload);
      } else if (controller.isPresent()) {
        WorkloadFinalizer.end(workload, settings, now, writes);
      }
    }
    return owned;
  }

  private Match prebuilt(String name) {
    String namespace = job.tree().path("metadata").path("namespace").asText();
    Optional<WorkloadView> found =
        world.find(WorkloadView.KIND, namespace, name).map(WorkloadView::new);
    if (found.isEmpty()) {
      return new Match.None();
    }
    WorkloadView workload = found.get();
    Optional<JobObject.Owner> controller = workload.meta().controller();
    if (controller.isEmpty()) {
      own(workload);
      return WAIT;
    }
    if (!controller.get().uid().equals(job.meta().uid())) {
      return new Match.None();
    }
    if (workload.isFinished()) {
      return given(workload);
    }
    if (!fits(workload)) {
      WorkloadFinalizer.finish(
          workload,
          Reasons.OUT_OF_SYNC,
          "The prebuilt workload is out of sync with its user job",
          now,
          writes);
      return WAIT;
    }
    return follow(workload);
  }

  /**
   * Whether a prebuilt Workload is that of the job. A slice that replaces another one has what that
   * had, and the manager of several clusters changes the size of an elastic job and of its Workload
   * one after the other.
   */
  private boolean fits(WorkloadView prebuilt) {
    boolean isElastic = Slices.areFor(job, settings);
    if (isElastic && SliceOrder.isReplacement(prebuilt)) {
      return true;
    }
    boolean isFromManager = !prebuilt.meta().labelText(Labels.MULTI_KUEUE_ORIGIN).isEmpty();
    return equivalence.holds(job, prebuilt, world)
        || (isElastic && isFromManager && Equivalence.holdsButForCounts(job, prebuilt));
  }

  /** A Workload that was finished because the job changed counts as none: the job has no quota. */
  private Match given(WorkloadView ended) {
    if (job.finish().isPresent()
        || !ended.text(ConditionTypes.FINISHED, "reason").equals(Reasons.OUT_OF_SYNC)) {
      return follow(ended);
    }
    WorkloadFinalizer.release(ended, writes);
    return new Match.None();
  }

  private void own(WorkloadView workload) {
    ObjectNode owned = workload.tree().deepCopy();
    ObjectNode metadata = Patches.child(owned, "metadata");
    metadata.withArray("ownerReferences").add(WorkloadMaker.controller(job.kind(), job.tree()));
    WorkloadMaker.label(owned, job.meta().uid());
    writes.patch(WorkloadView.TYPE, workload.tree(), Patches.between(workload.tree(), owned));
  }

  private Match only(WorkloadView match, List<WorkloadView> owned) {
    List<WorkloadView> surplus = new ArrayList<>(owned);
    surplus.remove(match);
    delete(surplus);
    return writes.isEmpty() ? follow(match) : WAIT;
  }

  private Match none(List<WorkloadView> surplus) {
    boolean ended = job.finish().isPresent();
    if (!job.isSuspended() && !ended) {
      stop(surplus);
      return WAIT;
    }
    if (surplus.isEmpty()) {
      return new Match.None();
    }
    if (canBecomeTheOne(surplus.getFirst()) && !ended) {
      rewrite(surplus.getFirst());
    } else {
      delete(surplus);
    }
    return WAIT;
  }

  private void stop(List<WorkloadView> surplus) {
    if (surplus.size() == 1) {
      job.stop(
          new Job.Stop(
              NO_MATCH,
              "No matching Workload; restoring pod templates according to existent Workload"),
          Optional.of(surplus.getFirst()),
          writes);
    } else {
      job.stop(
          new Job.Stop(NO_MATCH, "Missing Workload; unable to restore pod templates"),
          Optional.empty(),
          writes);
    }
  }

  private static boolean canBecomeTheOne(WorkloadView workload) {
    return !workload.hasReservation()
        && !workload.isFinished()
        && !workload.meta().isBeingDeleted();
  }

  private void rewrite(WorkloadView workload) {
    Optional<TypedObjectKey> missing = Sources.missing(job, world);
    if (missing.isPresent()) {
      Sources.tellMissing(job, missing.get(), writes);
      return;
    }
    List<PodSetShape> podSets = job.podSets();
    Priority.Found priority = Priority.of(job.meta(), job.traits().priorityClass(), podSets, world);
    if (priority.priority().isEmpty()) {
      priority.tellMissing(job.kind(), job.tree(), writes);
      return;
    }
    ObjectNode before = workload.tree().path("spec").deepCopy();
    ObjectNode spec =
        new WorkloadMaker(settings).spec(job.meta(), podSets, priority.priority().get());
    spec.set("active", before.path("active"));
    if (before.has("preemptionGates")) {
      spec.set("preemptionGates", before.path("preemptionGates"));
    }
    ObjectNode rewritten = workload.tree().deepCopy();
    rewritten.set("spec", spec);
    writes.patch(WorkloadView.TYPE, workload.tree(), Patches.between(workload.tree(), rewritten));
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.UPDATED_WORKLOAD,
        "Updated not matching Workload for suspended job: " + workload.fullName());
  }

  /**
   * Deletes what is not needed; what holds quota, not before the job's Pods are gone. Pods on other
   * clusters go because their Workload is being deleted; our finalizer keeps it until then.
   */
  private void delete(List<WorkloadView> surplus) {
    for (WorkloadView workload : surplus) {
      boolean isBeingDeleted = workload.meta().isBeingDeleted();
      if (!workload.hasReservation() || eviction.hasStopped(workload)) {
        WorkloadFinalizer.delete(workload, writes);
      } else if (isBeingDeleted || world.remoteStop(workload.tree()) != RemoteStop.MAY_RUN) {
        continue;
      } else {
        writes.delete(WorkloadView.TYPE, workload.tree());
      }
      if (!isBeingDeleted) {
        writes.event(
            job.kind(),
            job.tree(),
            EventReasons.DELETED_WORKLOAD,
            "Deleted not matching Workload: " + workload.fullName());
      }
    }
  }

  private Match follow(WorkloadView match) {
    return handOn(match) ? WAIT : new Match.One(match);
  }

  /** Copies what users may change in a job to its Workload; returns whether they did. */
  public boolean handOn(WorkloadView match) {
    if (match.isFinished() || match.meta().isBeingDeleted()) {
      return false;
    }
    ObjectNode changed = Patches.editable(match.tree());
    FollowedMetadata.follow(job.meta(), changed, settings);
    if (prebuiltName(job.meta(), settings).isEmpty()) { // the gates of a prebuilt one are its own
      FollowedMetadata.openGates(job.meta(), changed, settings);
    }
    followPriority(match, changed);
    ObjectNode patch = Patches.between(match.tree(), changed);
    if (patch.isEmpty()) {
      return false;
    }
    writes.patch(WorkloadView.TYPE, match.tree(), patch);
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.UPDATED_WORKLOAD,
        "Updated Workload: " + match.fullName());
    return true;
  }

  private void followPriority(WorkloadView match, ObjectNode workload) {
    String label = job.meta().labelText(Labels.PRIORITY_CLASS);
    JsonNode reference = match.tree().path("spec").path("priorityClassRef");
    String kind = reference.path("kind").asText("");
    boolean mayFollow =
        kind.equals("WorkloadPriorityClass") || (kind.isEmpty() && !match.hasReservation());
    if (label.isEmpty() || !mayFollow || reference.path("name").asText("").equals(label)) {
      return;
    }
    Priority.Found priority = Priority.ofLabel(label, world);
    priority
        .priority()
        .ifPresentOrElse(
            it -> it.into(Patches.child(workload, "spec")),
            () -> {
              priority.tellMissing(job.kind(), job.tree(), writes);
              again = Optional.of(now.plus(JobReconciler.LATER)); // it may come during this plan
            });
  }
}
