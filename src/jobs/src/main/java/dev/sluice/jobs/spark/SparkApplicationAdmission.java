package dev.sluice.jobs.spark;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.ray.RayKind;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;

/** The SparkApplication: a driver and its executors. */
public final class SparkApplicationAdmission implements SuspendableKind {
  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("sparkoperator.k8s.io", "v1beta2", "SparkApplication");
  }

  @Override
  public String framework() {
    return "sparkoperator.k8s.io/sparkapplication";
  }

  @Override
  public boolean takesPrebuiltWorkload() {
    return false;
  }

  @Override
  public Grouping grouping() {
    return Grouping.NONE;
  }

  @Override
  public boolean looksAt(JobReview review, JobObject old, JobObject now) {
    return RayKind.concernsQueues(review, old, now);
  }

  @Override
  public List<Field> templates(Field root) {
    Field spec = root.child("spec");
    return List.of(spec.child("driver"), spec.child("executor"));
  }

  /** Labels and annotations stand in driver and executor themselves. */
  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    Field executor = job.spec().child("executor");
    return List.of(
        new PodSet("driver", job.spec().child("driver"), 1),
        new PodSet("executor", executor, Paths.count(executor.child("instances"), 0)));
  }

  @Override
  public boolean namesOwnFaultsFirst() {
    return true;
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    if (!review.isManaged(job)) {
      return;
    }
    Field mode = job.spec().child("mode");
    if (!mode.text().orElse("").equals("cluster")) {
      findings.add(FieldError.invalid(mode, "must be \"cluster\" for a managed application"));
    }
    Field dynamic = job.spec().child("dynamicAllocation").child("enabled");
    if (Paths.isTrue(dynamic) && !review.isElastic(job)) {
      findings.add(
          FieldError.invalid(
              dynamic, "must be false: a managed application has a fixed number of executors"));
    }
  }
}
