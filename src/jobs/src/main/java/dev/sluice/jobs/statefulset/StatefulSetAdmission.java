package dev.sluice.jobs.statefulset;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.ServingKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.object.WorkloadName;
import dev.sluice.jobs.pod.PodShape;
import dev.sluice.jobs.workload.OnHold;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Optional;

/**
 * The StatefulSet, whose Pods wait together: while it is queued, it may only be off or of a size.
 */
public final class StatefulSetAdmission implements ServingKind {
  private static final String FRAMEWORK = "statefulset";

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("apps", "v1", "StatefulSet");
  }

  @Override
  public String framework() {
    return FRAMEWORK;
  }

  @Override
  public List<Field> templates(Field root) {
    return List.of(root.child("spec").child("template").child("metadata"));
  }

  @Override
  public boolean isLeftToOthers(JobObject job) {
    Field parent =
        new JobObject(job.spec().child("template")).annotation(Annotations.POD_SUSPENDING_PARENT);
    return parent.isPresent() && !parent.text().orElse("").equals(FRAMEWORK);
  }

  @Override
  public void setTemplates(JobReview review, PatchRecorder draft) {
    setParent(draft, "spec", "template");
  }

  @Override
  public void checkOwnChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    if (review.mustBeSuspended(now, findings)) {
      PodShape.checkSame(
          podSpec(old), podSpec(now), "must not change while the StatefulSet is queued", findings);
      checkReplicas(review, old, now, findings);
    }
  }

  private static Field podSpec(JobObject job) {
    return job.spec().child("template").child("spec");
  }

  private static void checkReplicas(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    Field replicas = now.spec().child("replicas");
    long before = Paths.count(old.spec().child("replicas"), 1);
    long after = Paths.count(replicas, 1);
    if (before != 0 && after != 0 && before != after) {
      findings.add(
          FieldError.invalid(
              replicas, "may only change to 0, and from there to another number of Pods"));
    } else if (before == 0 && after > 0) {
      checkStart(review, now, replicas, findings);
    }
  }

  private static void checkStart(
      JobReview review, JobObject now, Field replicas, ValidationResult findings) {
    if (Paths.count(now.root().child("status").child("replicas"), 0) > 0) {
      findings.add(
          FieldError.forbidden(replicas, "must stay 0 until the Pods from before are gone"));
    } else if (workload(review, now).filter(it -> !OnHold.isHeld(it)).isPresent()) {
      findings.add(
          FieldError.forbidden(replicas, "must stay 0 until the Workload from before is gone"));
    }
  }

  private static Optional<WorkloadView> workload(JobReview review, JobObject now) {
    boolean shortNames = review.isOn(FeatureGate.SHORT_WORKLOAD_NAMES);
    return WorkloadName.of("StatefulSet", "apps", now, shortNames).stream()
        .flatMap(
            name ->
                review
                    .view()
                    .find(ApiKind.WORKLOAD.groupKind(), review.input().namespace(), name)
                    .stream())
        .findFirst()
        .map(WorkloadView::new);
  }
}
