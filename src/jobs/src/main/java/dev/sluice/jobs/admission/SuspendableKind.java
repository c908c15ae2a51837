package dev.sluice.jobs.admission;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.topology.PodSetGroups;
import dev.sluice.jobs.topology.SliceBounds;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.gates.AdmissionGatedBy;
import java.util.List;
import java.util.Optional;

/**
 * A kind of jobs with a field that suspends them. An implementation names the fields, and adds its
 * own rules.
 */
public interface SuspendableKind extends JobKind {
  /** The largest number of Pod sets of a Workload. */
  int MAX_POD_SETS = 18;

  /**
   * The field that names another controller for a job.
   *
   * @param path where
   * @param ownName the controller that the kind has at home
   */
  record ManagedBy(List<String> path, String ownName) {
    public ManagedBy {
      path = List.copyOf(path);
      requireNonNull(ownName, "ownName");
    }
  }

  /** The rules of an update. */
  enum OnUpdate {
    /** All rules of a new job. */
    ALL,
    /** All rules of a new job, except for faults that the stored job already has. */
    NEW_FAULTS
  }

  /** The switch. */
  default List<String> suspendPath() {
    return List.of("spec", "suspend");
  }

  /** Where another controller can be named; empty if it cannot. */
  default Optional<ManagedBy> managedBy() {
    return Optional.empty();
  }

  /** The common rules of an update. */
  default OnUpdate onUpdate() {
    return OnUpdate.ALL;
  }

  /** Whether the job is suspended. */
  default boolean isSuspended(JobObject job) {
    return Paths.isTrue(Paths.at(job.root(), suspendPath()));
  }

  /** Whether a managed job of this kind has anything to wait for. */
  default boolean waits(JobObject job) {
    return true;
  }

  /** Whether a managed job of this kind must be suspended. */
  default boolean canBeSuspended(JobObject job) {
    return waits(job);
  }

  /** The Pod sets of the job, whose annotations are checked. */
  default List<PodSet> podSets(JobReview review, JobObject job) {
    return List.of();
  }

  /** Whether templates of one job may form groups. */
  default Grouping grouping() {
    return Grouping.CHECKED;
  }

  /** The rules of templates that must be placed together. */
  enum Grouping {
    CHECKED,
    WARNED_OF,
    NONE
  }

  /** Sets the defaults of this kind, after those of all kinds. */
  default void setOwn(JobReview review, PatchRecorder draft) {}

  /** Adds the rules of this kind for new and for changed jobs. */
  default void checkOwn(JobReview review, JobObject job, ValidationResult findings) {}

  /** Adds the rules of this kind for changes. */
  default void checkOwnChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {}

  /** Whether this update is checked at all. */
  default boolean looksAt(JobReview review, JobObject old, JobObject now) {
    return true;
  }

  @Override
  default void setDefaults(JobReview review, PatchRecorder draft, ValidationResult findings) {
    Defaults.queueName(review, draft);
    Defaults.priorityClass(review, draft);
    JobObject job = Defaults.job(draft);
    if (review.mustBeSuspended(job, findings) && canBeSuspended(job) && !isSuspended(job)) {
      Defaults.suspend(draft, suspendPath());
    }
    managedBy()
        .filter(_ -> waits(job))
        .ifPresent(it -> Defaults.managedBy(review, draft, it.path(), it.ownName()));
    setOwn(review, draft);
  }

  @Override
  default void check(JobReview review, ValidationResult findings) {
    Optional<JobObject> old = review.oldJob();
    if (old.isEmpty()) {
      checkNew(review, review.job(), findings);
    } else if (looksAt(review, old.get(), review.job())) {
      checkChange(review, old.get(), review.job(), findings);
    }
  }

  /** Adds the kind's own rules of a new job, in the order in which Kueue names several faults. */
  default void checkNew(JobReview review, JobObject job, ValidationResult findings) {
    if (namesOwnFaultsFirst()) {
      checkOwn(review, job, findings);
      checkCommon(review, job, findings);
    } else {
      checkCommon(review, job, findings);
      checkOwn(review, job, findings);
    }
    checkTopology(review, job, findings);
  }

  /** Whether the faults of this kind are reported before those of all kinds. */
  default boolean namesOwnFaultsFirst() {
    return false;
  }

  /** Adds the rules for new jobs of all kinds. */
  static void checkCommon(JobReview review, JobObject job, ValidationResult findings) {
    CommonRules.checkNew(review, job, findings);
    AdmissionGatedBy.checkNew(review.input(), findings);
  }

  /** Adds the rules for a changed job, in the order in which Kueue reports several faults. */
  default void checkChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    checkCommonChange(review, old, now, findings);
    switch (onUpdate()) {
      case ALL -> checkNew(review, now, findings);
      case NEW_FAULTS -> {
        Ratchet.check(
            review.input(),
            findings,
            (root, found) -> CommonRules.checkNew(review, new JobObject(root), found));
        checkOwn(review, now, findings);
        checkTopology(review, now, findings);
      }
    }
    checkOwnChange(review, old, now, findings);
  }

  /** Adds the rules for changes of jobs of all kinds. */
  default void checkCommonChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    CommonRules.checkChange(
        new CommonRules.Change(review, old, now, isSuspended(old), isSuspended(now)), findings);
    if (isSuspended(old) && !isSuspended(now) && review.isStartedByHand(now)) {
      findings.warn(
          String.join(".", suspendPath())
              + ": its queue starts this job; started by hand, it is suspended again unless it is"
              + " admitted");
    }
  }

  /** Adds what the annotations of the templates ask for in vain. */
  default void checkTopology(JobReview review, JobObject job, ValidationResult findings) {
    if (!review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      return;
    }
    List<PodSet> all = podSets(review, job);
    boolean multiLayer = review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY);
    for (PodSet pods : all) {
      TopologyRequest.check(pods.metadata(), multiLayer, findings);
      SliceBounds.check(pods, findings);
    }
    switch (grouping()) {
      case CHECKED -> PodSetGroups.check(all, findings);
      case WARNED_OF -> warnOfGroups(all, findings);
      case NONE -> {}
    }
  }

  private static void warnOfGroups(List<PodSet> all, ValidationResult findings) {
    var found = new ValidationResult();
    PodSetGroups.check(all, found);
    found.violations().forEach(violation -> findings.warn(violation.text()));
  }

  /** Warns of more Pod sets than a Workload can have: such a job is never admitted. */
  static void warnOfPodSets(
      JobReview review, JobObject job, Field list, long count, ValidationResult to) {
    if (review.isManaged(job) && count > MAX_POD_SETS) {
      to.warn(
          "%s: makes %d Pod sets, but a Workload has at most %d: the job will not be admitted"
              .formatted(list.path(), count, MAX_POD_SETS));
    }
  }
}
