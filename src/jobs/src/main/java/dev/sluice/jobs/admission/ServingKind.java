package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.gates.AdmissionGatedBy;
import java.util.List;
import java.util.Set;

/**
 * A kind that runs until it is deleted and cannot be suspended: its Pods are queued one by one, by
 * labels in its template.
 */
public interface ServingKind extends JobKind {
  @Override
  default Set<Operation> defaultedOn() {
    return Set.of(Operation.CREATE, Operation.UPDATE);
  }

  /** Whether the object is left to another framework. */
  default boolean isLeftToOthers(JobObject job) {
    return false;
  }

  /** Writes into the templates what makes the Pods wait. */
  void setTemplates(JobReview review, PatchRecorder draft);

  /** Adds the rules of this kind for new and for changed objects. */
  default void checkOwn(JobReview review, JobObject job, ValidationResult findings) {}

  /** Adds the rules of this kind for changes. */
  default void checkOwnChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {}

  @Override
  default void setDefaults(JobReview review, PatchRecorder draft, ValidationResult findings) {
    if (isLeftToOthers(review.job())) {
      return;
    }
    Defaults.queueName(review, draft);
    Defaults.priorityClass(review, draft);
    if (review.mustBeSuspended(Defaults.job(draft), findings)) {
      setTemplates(review, draft);
    }
  }

  /** Tells the Pods of a template that this framework queues them. */
  default void setParent(PatchRecorder draft, String... template) {
    Defaults.templateAnnotation(draft, Annotations.POD_SUSPENDING_PARENT, framework(), template);
  }

  /** Gives the Pods of a template the queue and the priority class of the object. */
  static void copyLabels(PatchRecorder draft, String... template) {
    JobObject job = Defaults.job(draft);
    for (String key : List.of(Labels.QUEUE_NAME, Labels.PRIORITY_CLASS)) {
      Defaults.templateLabel(draft, key, job.labelText(key), template);
    }
  }

  /** Faults of its size, which come before those of its admission gate. */
  default void checkSize(JobObject job, ValidationResult findings) {}

  /** Whether a change of the admission gate is checked after changes of queue and priority. */
  default boolean changesItsGateLast() {
    return false;
  }

  @Override
  default void check(JobReview review, ValidationResult findings) {
    JobObject job = review.job();
    if (isLeftToOthers(job)) {
      return;
    }
    CommonRules.checkQueueName(job, findings);
    CommonRules.checkElastic(review, job, findings);
    checkSize(job, findings);
    if (review.oldJob().isEmpty() || !changesItsGateLast()) {
      AdmissionGatedBy.check(review.input(), findings);
    }
    checkOwn(review, job, findings);
    review.oldJob().ifPresent(old -> checkChange(review, old, job, findings));
    warnOfIgnored(review, job, findings);
  }

  private void checkChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    checkQueueChange(old, now, findings);
    CommonRules.checkPriorityChange(old, now, !isReady(old), findings);
    if (changesItsGateLast()) {
      AdmissionGatedBy.check(review.input(), findings);
    }
    checkOwnChange(review, old, now, findings);
  }

  private static boolean isReady(JobObject job) {
    return Paths.count(job.root().child("status").child("readyReplicas"), 0) > 0;
  }

  private static void checkQueueChange(JobObject old, JobObject now, ValidationResult findings) {
    String before = old.queueName();
    String after = now.queueName();
    if ((isReady(old) || after.isEmpty()) && !before.equals(after)) {
      findings.add(
          FieldError.invalid(
              now.label(Labels.QUEUE_NAME).path(),
              TextNode.valueOf(after),
              after.isEmpty()
                  ? "must not be removed; it may name another queue while no replica is ready"
                  : "must not change while a replica is ready"));
    }
  }

  private void warnOfIgnored(JobReview review, JobObject job, ValidationResult findings) {
    for (Field field :
        List.of(
            job.label(Labels.PREBUILT_WORKLOAD),
            job.annotation(Labels.PREBUILT_WORKLOAD),
            job.label(Labels.MAX_EXEC_TIME))) {
      if (field.isPresent()) {
        findings.warn(field.path() + ": has no effect on a " + kind().kind());
      }
    }
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      var found = new ValidationResult();
      for (Field metadata : templates(job.root())) {
        TopologyRequest.check(metadata, review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY), found);
      }
      found.violations().forEach(it -> findings.warn(it.text() + " (its Pods will be refused)"));
    }
  }
}
