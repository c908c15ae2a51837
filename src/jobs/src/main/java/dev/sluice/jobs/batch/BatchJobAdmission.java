package dev.sluice.jobs.batch;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.NeverFits;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.object.Texts;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.topology.SliceBounds;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The Job of batch/v1, also one that a CronJob makes. */
public final class BatchJobAdmission implements SuspendableKind {
  static final GroupVersionKind KIND = new GroupVersionKind("batch", "v1", "Job");

  @Override
  public GroupVersionKind kind() {
    return KIND;
  }

  @Override
  public String framework() {
    return "batch/job";
  }

  @Override
  public boolean canBeElastic() {
    return true;
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(new ManagedBy(List.of("spec", "managedBy"), BatchJob.CONTROLLER));
  }

  @Override
  public boolean isSuspended(JobObject job) {
    return SuspendableKind.super.isSuspended(job)
        && !job.annotationText(Annotations.STOPPING).equals("true");
  }

  @Override
  public List<Field> templates(Field root) {
    return List.of(template(root).child("metadata"));
  }

  private static Field template(Field root) {
    return root.child("spec").child("template");
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return List.of(PodSet.of("main", template(job.root()), pods(job.spec())));
  }

  /** How many Pods of a Job run at a time: as many as parallelism says and completions need. */
  public static long pods(Field spec) {
    long parallelism = Paths.count(spec.child("parallelism"), 1);
    return Math.min(parallelism, Paths.count(spec.child("completions"), parallelism));
  }

  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    Defaults.elasticGate(review, draft, "spec", "template");
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    boolean isSame =
        review
            .oldJob()
            .map(old -> old.annotation(Annotations.JOB_MIN_PARALLELISM).node())
            .filter(job.annotation(Annotations.JOB_MIN_PARALLELISM).node()::equals)
            .isPresent();
    if (!isSame) {
      checkMinParallelism(review, job, findings);
    }
    checkSync(job, findings);
    if (!review.input().hasSameSpec() && review.isManagedHere(job)) {
      NeverFits.warn(review, job, template(job.root()), pods(job.spec()), findings);
    }
  }

  private static void checkMinParallelism(
      JobReview review, JobObject job, ValidationResult findings) {
    Field annotation = job.annotation(Annotations.JOB_MIN_PARALLELISM);
    if (!annotation.isPresent()) {
      return;
    }
    OptionalLong number = Texts.integer(annotation.text().orElse(""));
    if (number.isEmpty()) {
      findings.add(FieldError.invalid(annotation, "must be a number of Pods"));
    } else {
      checkMinParallelism(annotation, number.getAsLong(), pods(job.spec()), findings);
    }
    if (review.isElastic(job)) {
      findings.add(
          FieldError.invalid(
              annotation, "must not be set for an elastic job, which scales itself"));
    }
  }

  private static void checkMinParallelism(
      Field place, long wide, long pods, ValidationResult findings) {
    int number = (int) wide; // readers of the annotation have 32 bits for it
    if (number <= 0 || number >= pods) {
      findings.add(
          FieldError.invalid(
              place.path(),
              IntNode.valueOf(number),
              pods > 1
                  ? "must be between 1 and " + (pods - 1)
                  : "must be absent: with one Pod there is no smaller number"));
    } else if (number != wide) {
      findings.warn(place.path() + ": " + wide + " is beyond 32 bits and counts as " + number);
    }
  }

  private static void checkSync(JobObject job, ValidationResult findings) {
    Field annotation = job.annotation(Annotations.JOB_SYNC_COMPLETIONS);
    Optional<Boolean> sync = Texts.bool(annotation.text().orElse(""));
    if (annotation.isPresent() && sync.isEmpty()) {
      findings.add(FieldError.invalid(annotation, "must be true or false"));
    }
    if (!sync.orElse(false)) {
      return;
    }
    if (!job.spec().child("completionMode").text().orElse("").equals("Indexed")) {
      findings.add(
          FieldError.invalid(annotation, "must not be true unless completionMode is Indexed"));
    }
    Field completions = job.spec().child("completions");
    if (Paths.count(completions, 1) != Paths.count(job.spec().child("parallelism"), 1)) {
      findings.add(
          FieldError.invalid(
              completions,
              "must equal parallelism, since " + Annotations.JOB_SYNC_COMPLETIONS + " is true"));
    }
  }

  @Override
  public void checkChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    SuspendableKind.checkCommon(review, now, findings);
    checkOwn(review, now, findings);
    checkCommonChange(review, old, now, findings);
    checkOwnChange(review, old, now, findings);
    checkTopology(review, now, findings);
  }

  @Override
  public void checkOwnChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    Field parallelism = now.spec().child("parallelism");
    if (old.annotation(Annotations.JOB_MIN_PARALLELISM).isPresent()
        && !SuspendableKind.super.isSuspended(old)
        && Paths.count(old.spec().child("parallelism"), 1) != Paths.count(parallelism, 1)) {
      findings.add(
          FieldError.forbidden(
              parallelism,
              "must not change while the job runs, since "
                  + Annotations.JOB_MIN_PARALLELISM
                  + " is set"));
    }
    if (!isSuspended(old) && !isSuspended(now) && syncs(old) != syncs(now)) {
      findings.add(
          FieldError.forbidden(
              now.annotation(Annotations.JOB_SYNC_COMPLETIONS),
              "must not change while the job runs"));
    }
  }

  private static boolean syncs(JobObject job) {
    return Texts.bool(job.annotationText(Annotations.JOB_SYNC_COMPLETIONS)).orElse(false);
  }

  @Override
  public void checkTopology(JobReview review, JobObject job, ValidationResult findings) {
    if (!review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      return;
    }
    PodSet pods = podSets(review, job).getFirst();
    var found = new ValidationResult();
    TopologyRequest.check(
        pods.metadata(), review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY), found);
    if (!found.refuse()) {
      checkElasticTopology(review, job, pods.metadata().child("annotations"), found);
    }
    if (!found.refuse()) {
      SliceBounds.check(pods, found);
    }
    found.violations().forEach(findings::add);
    found.warnings().forEach(findings::warn);
  }

  private static void checkElasticTopology(
      JobReview review, JobObject job, Field annotations, ValidationResult findings) {
    if (!review.isElastic(job)) {
      return;
    }
    for (String key : List.of(Annotations.REQUIRED_TOPOLOGY, Annotations.PREFERRED_TOPOLOGY)) {
      if (annotations.child(key).isPresent()) {
        findings.add(
            FieldError.forbidden(
                annotations.child(key),
                "must not be set for an elastic job, which may outgrow it"));
        return;
      }
    }
  }
}
