package dev.sluice.jobs.ray;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Set;

/** The RayCluster. */
public final class RayClusterAdmission implements RayKind {
  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("ray.io", "v1", "RayCluster");
  }

  @Override
  public List<Field> templates(Field root) {
    return new RayClusterSpec(root.child("spec")).templates();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return new RayClusterSpec(job.spec()).podSets();
  }

  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    RayClusterSpec.setElasticGates(review, draft, "spec");
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    if (!review.isManaged(job)) {
      return;
    }
    var cluster = new RayClusterSpec(job.spec());
    boolean isElastic = review.isElastic(job);
    cluster.checkScaling(isElastic, findings);
    if (isElastic) {
      cluster.checkGates(findings);
      checkPlace(job, cluster, findings);
    }
    cluster.checkGroups(findings);
    cluster.warnOfNames(Set.of(), findings);
  }

  private static void checkPlace(JobObject job, RayClusterSpec cluster, ValidationResult findings) {
    boolean elsewhere =
        job.spec().child("managedBy").text().orElse("").equals(Controllers.MULTI_KUEUE);
    if (cluster.scalesItself() && elsewhere) {
      findings.add(
          FieldError.forbidden(
              cluster.autoscaling(), "must not be true for a cluster that runs elsewhere"));
    }
  }
}
