package dev.sluice.jobs.ray;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Set;

/** The RayJob: a Ray cluster for one task, or a task for a cluster that is there already. */
public final class RayJobAdmission implements RayKind {
  private static final String SUBMITTER = "submitter";

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("ray.io", "v1", "RayJob");
  }

  private static Field cluster(Field root) {
    return root.child("spec").child("rayClusterSpec");
  }

  private static Field selector(JobObject job) {
    return job.spec().child("clusterSelector");
  }

  /** Whether the task runs on an existing cluster, whose quota is not its own. */
  private static boolean selectsCluster(JobObject job) {
    return !selector(job).node().isEmpty();
  }

  /**
   * A task for another's cluster has nothing to wait for, and its operator refuses to suspend it.
   */
  @Override
  public boolean waits(JobObject job) {
    return !selectsCluster(job);
  }

  @Override
  public List<Field> templates(Field root) {
    return cluster(root).isPresent() ? new RayClusterSpec(cluster(root)).templates() : List.of();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    Field cluster = cluster(job.root());
    return cluster.isPresent() ? new RayClusterSpec(cluster).podSets() : List.of();
  }

  @Override
  public void checkNew(JobReview review, JobObject job, ValidationResult findings) {
    Field cluster = cluster(job.root());
    if (!review.isManaged(job)) {
      RayKind.super.checkNew(review, job, findings);
    } else if (selectsCluster(job)) {
      checkSelector(job, cluster, findings);
    } else if (!cluster.isPresent()) {
      findings.add(FieldError.required(cluster, "must say which cluster is to be made"));
    } else {
      checkTask(review, job, new RayClusterSpec(cluster), findings);
      RayKind.super.checkNew(review, job, findings);
    }
  }

  private static void checkSelector(JobObject job, Field cluster, ValidationResult findings) {
    if (cluster.isPresent()) {
      findings.add(
          FieldError.invalid(
              selector(job), "must be empty for a managed job, which makes a cluster of its own"));
    } else {
      findings.warn(
          selector(job).path()
              + ": the job uses a cluster of others, so it does not wait in a queue");
    }
  }

  private static void checkTask(
      JobReview review, JobObject job, RayClusterSpec cluster, ValidationResult findings) {
    Field shutdown = job.spec().child("shutdownAfterJobFinishes");
    if (!Paths.isTrue(shutdown)) {
      findings.add(
          FieldError.invalid(shutdown, "must be true, or the cluster keeps its quota for ever"));
    }
    cluster.checkScaling(review.isElastic(job), findings);
    cluster.checkGroups(findings);
    boolean submits =
        job.spec().child("submissionMode").text().orElse("K8sJobMode").equals("K8sJobMode");
    cluster.warnOfNames(submits ? Set.of(SUBMITTER) : Set.of(), findings);
    if (submits && cluster.groups().node().size() + 1 == SuspendableKind.MAX_POD_SETS) {
      findings.warn(
          cluster.groups().path()
              + ": with the head and the Pod that submits the task these are more than the 18 Pod"
              + " sets of a Workload: the job will not be admitted");
    }
  }
}
