package dev.sluice.jobs.ray;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Set;

/**
 * The RayService. Its cluster stands in {@code spec.rayClusterConfig}; its faults are reported at
 * {@code spec.rayClusterSpec}, as Kueue has it.
 */
public final class RayServiceAdmission implements RayKind {
  private static final String CLUSTER = "rayClusterConfig";

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("ray.io", "v1", "RayService");
  }

  @Override
  public List<String> suspendPath() {
    return List.of("spec", CLUSTER, "suspend");
  }

  private static RayClusterSpec cluster(Field root) {
    return new RayClusterSpec(
        new Field("spec.rayClusterSpec", root.child("spec").child(CLUSTER).node()));
  }

  @Override
  public List<Field> templates(Field root) {
    return new RayClusterSpec(root.child("spec").child(CLUSTER)).templates();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return cluster(job.root()).podSets();
  }

  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    RayClusterSpec.setElasticGates(review, draft, "spec", CLUSTER);
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    if (review.isManaged(job)) {
      RayClusterSpec cluster = cluster(job.root());
      cluster.checkScaling(review.isElastic(job), findings);
      cluster.checkGroups(findings);
      cluster.warnOfNames(Set.of(), findings);
    }
  }
}
