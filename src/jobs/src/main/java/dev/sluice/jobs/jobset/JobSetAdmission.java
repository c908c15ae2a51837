package dev.sluice.jobs.jobset;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.batch.BatchJobAdmission;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The JobSet: several Jobs, each with a number of replicas. */
public final class JobSetAdmission implements SuspendableKind {
  private static final int MAX_JOBS = 512;

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("jobset.x-k8s.io", "v1alpha2", "JobSet");
  }

  @Override
  public String framework() {
    return "jobset.x-k8s.io/jobset";
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(
        new ManagedBy(List.of("spec", "managedBy"), "jobset.sigs.k8s.io/jobset-controller"));
  }

  @Override
  public List<Field> templates(Field root) {
    return replicatedJobs(root.child("spec")).stream()
        .map(it -> template(it).child("metadata"))
        .toList();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return replicatedJobs(job.spec()).stream().map(JobSetAdmission::podSet).toList();
  }

  /** The Jobs of a JobSet's spec. */
  public static List<Field> replicatedJobs(Field spec) {
    return spec.child("replicatedJobs").items(MAX_JOBS);
  }

  private static PodSet podSet(Field job) {
    return PodSet.of(name(job), template(job), pods(job));
  }

  /** What a Workload calls the Pods of one of the Jobs. */
  public static String name(Field job) {
    return job.child("name").text().orElse("").toLowerCase(Locale.ROOT);
  }

  /** The Pod template of one of the Jobs. */
  public static Field template(Field job) {
    return job.child("template").child("spec").child("template");
  }

  /** How many Pods run for one of the Jobs. */
  public static long pods(Field job) {
    return Paths.count(job.child("replicas"), 1)
        * BatchJobAdmission.pods(job.child("template").child("spec"));
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    Field jobs = job.spec().child("replicatedJobs");
    SuspendableKind.warnOfPodSets(review, job, jobs, jobs.node().size(), findings);
  }
}
