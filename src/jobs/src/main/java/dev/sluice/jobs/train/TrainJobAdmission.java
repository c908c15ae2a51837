package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.jobset.JobSetAdmission;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The TrainJob: its Pods are defined by the runtime that it names, and by patches of that. Without
 * the runtime its templates are not checked, and the job is not refused: both may be applied from
 * one file, and the runtime is seen a moment later.
 */
public final class TrainJobAdmission implements SuspendableKind {
  @Override
  public GroupVersionKind kind() {
    return TrainJob.KIND;
  }

  @Override
  public String framework() {
    return "trainer.kubeflow.org/trainjob";
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(
        new ManagedBy(List.of("spec", "managedBy"), "trainer.kubeflow.org/trainjob-controller"));
  }

  @Override
  public Grouping grouping() {
    return Grouping.WARNED_OF;
  }

  /** Adds an entry for the scheduler's admission; once, and only for managed jobs. */
  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    if (!review.isManagedHere(Defaults.job(draft))) {
      return;
    }
    boolean isThere =
        draft
            .root()
            .child("spec")
            .child(RuntimePatch.LIST)
            .node()
            .valueStream()
            .anyMatch(RuntimePatch::isOurs);
    if (!isThere) {
      draft.append(RuntimePatch.empty(), "spec", RuntimePatch.LIST);
    }
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    TypedObjectKey runtime = TrainJob.runtime(job.root().node(), review.input().namespace());
    GroupKind kind = runtime.kind();
    Field reference = job.spec().child("runtimeRef");
    if (!review.isManaged(job)) {
      return;
    }
    if (!TrainJob.RUNTIMES.contains(kind)) {
      findings.add(
          FieldError.invalid(
              reference,
              "must name a TrainingRuntime or ClusterTrainingRuntime of " + kind.group()));
    } else if (review.view().knows(kind) && runtime(review, job).isEmpty()) {
      findings.warn(
          "%s: there is no %s \"%s\" yet; the job waits until there is"
              .formatted(reference.path(), kind.kind(), runtime.name()));
    }
  }

  private static Optional<JsonNode> runtime(JobReview review, JobObject job) {
    TypedObjectKey runtime = TrainJob.runtime(job.root().node(), review.input().namespace());
    return review.view().find(runtime.kind(), runtime.namespace(), runtime.name());
  }

  /** The Pod sets of the JobSet that the runtime makes, called by their names. */
  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return runtime(review, job).map(runtime -> podSets(runtime, job)).orElse(List.of());
  }

  private static List<PodSet> podSets(JsonNode runtime, JobObject job) {
    var all = new ArrayList<PodSet>();
    Field jobSet = Field.root(TrainerJobSet.spec(runtime, job.root().node()));
    Set<String> seen = new HashSet<>();
    for (Field replicated : JobSetAdmission.replicatedJobs(jobSet)) {
      String name = JobSetAdmission.name(replicated);
      if (seen.add(name)) {
        all.add(podSet(name, replicated));
      }
    }
    return all;
  }

  /** Reported by the name of the Pod set: its template is not part of a single object. */
  private static PodSet podSet(String name, Field replicated) {
    Field place = Field.root(MissingNode.getInstance()).child("job").key(name);
    JsonNode metadata = JobSetAdmission.template(replicated).child("metadata").node();
    return new PodSet(name, new Field(place.path(), metadata), JobSetAdmission.pods(replicated));
  }
}
