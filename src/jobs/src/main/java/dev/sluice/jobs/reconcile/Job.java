package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One job as the generic reconciler sees it: its state, and the steps that depend on its kind. */
public interface Job {
  /**
   * How a job ended.
   *
   * @param message the job's own words
   */
  record Finish(boolean succeeded, String message) {}

  /**
   * Why a job is stopped.
   *
   * @param reason a word in CamelCase
   * @param message a sentence for users
   */
  record Stop(String reason, String message) {
    static final String WORKLOAD_DELETED = "WorkloadDeleted";

    /** Whether nothing of the job may stay, not even gated Pods. */
    public boolean isForGood() {
      return reason.equals(WORKLOAD_DELETED);
    }
  }

  GroupVersionKind kind();

  /** The source of events about such jobs, such as {@code batch/job-kueue-controller}. */
  String reporter();

  /** The whole object. */
  JsonNode tree();

  default JobObject meta() {
    return JobObject.of(tree());
  }

  default String namespace() {
    return tree().path("metadata").path("namespace").asText();
  }

  /** What only some jobs do. */
  default JobTraits traits() {
    return JobTraits.NONE;
  }

  /** Whether a managed owner is queued in its place; a Pod never follows an owner. */
  default boolean followsOwners() {
    return true;
  }

  /** Whether it moves its Workload to the queue that it names; otherwise another component does. */
  default boolean movesItsWorkload() {
    return true;
  }

  /**
   * Whether no controller of this cluster acts on it, since MultiKueue runs it on another one. What
   * its status says of Pods is a copy then, which may be old and which nobody takes back.
   */
  default boolean isRunElsewhere() {
    List<String> path = traits().managedBy();
    return !path.isEmpty()
        && TemplatePaths.at(tree(), path).asText("").equals(Controllers.MULTI_KUEUE);
  }

  /** Whether it is fully suspended. */
  boolean isSuspended();

  /** Whether Pods of it may still run. */
  boolean isActive();

  /** Whether as many Pods as its Workload has are ready or have succeeded. */
  boolean isReady(WorkloadView workload);

  /** How it ended; empty while it has not. */
  Optional<Finish> finish();

  /** What its Workload asks for. */
  List<PodSetShape> podSets();

  /** The number of Pods that are no longer needed, by Pod set. */
  default Map<String, Integer> reclaimable() {
    return Map.of();
  }

  /**
   * Plans its start.
   *
   * @param injections what was assigned, one per Pod set, in order
   * @param message the message for users
   * @return why that can never work; empty if it was planned
   */
  Optional<String> start(List<Injection> injections, String message, Writes writes);

  /**
   * Plans the next step of stopping it and of restoring its templates.
   *
   * @param original the Workload with the original templates; empty if there is none
   */
  void stop(Stop why, Optional<WorkloadView> original, Writes writes);

  /** Whether a stop has begun and is not complete; it is completed unless the job is admitted. */
  default boolean isHalfStopped() {
    return false;
  }

  /**
   * Plans that it is suspended, and nothing else.
   *
   * @return whether there was something to plan
   */
  default boolean suspend(Writes writes) {
    return suspend(true, writes);
  }

  /**
   * Plans that it is resumed, and nothing else.
   *
   * @return whether there was something to plan
   */
  default boolean resume(Writes writes) {
    return suspend(false, writes);
  }

  private boolean suspend(boolean value, Writes writes) {
    ObjectNode changed = tree().deepCopy();
    Patches.child(changed, "spec").put("suspend", value);
    ObjectNode patch = Patches.between(tree(), changed);
    writes.patch(kind(), tree(), patch);
    return !patch.isEmpty();
  }

  /**
   * Plans its deletion.
   *
   * @return whether there was something to plan
   */
  default boolean delete(Writes writes) {
    writes.delete(kind(), tree());
    return true;
  }

  /** Plans the removal of our finalizer, after the object ended or while it is being deleted. */
  default void release(Writes writes) {}
}
