package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.jobset.JobSetAdmission;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
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
 * The TrainJob: what runs stands in the runtime that it names, and in patches of that. The runtime
 * is looked up where runtimes are looked at; without it, its templates are not spoken of.
 */
public final class TrainJobAdmission implements SuspendableKind {
  static final GroupKind RUNTIME = new GroupKind("trainer.kubeflow.org", "TrainingRuntime");
  static final GroupKind CLUSTER_RUNTIME =
      new GroupKind("trainer.kubeflow.org", "ClusterTrainingRuntime");

  private static final String MANAGER = Domains.KUEUE + "manager";
  private static final String PATCHES = "runtimePatches";
  private static final int MAX_PATCHES = 64;

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("trainer.kubeflow.org", "v1alpha1", "TrainJob");
  }

  @Override
  public String framework() {
    return "trainer.kubeflow.org/trainjob";
  }

  @Override
  public String plural() {
    return "trainjobs";
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

  /** An entry in which the scheduler writes what it decided; once, and only where it decides. */
  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    if (!review.isManagedHere(Defaults.job(draft))) {
      return;
    }
    for (Field patch : draft.root().child("spec").child(PATCHES).items(MAX_PATCHES)) {
      if (patch.child("manager").text().orElse("").equals(MANAGER)) {
        return;
      }
    }
    ObjectNode entry = JsonNodeFactory.instance.objectNode().put("manager", MANAGER);
    entry.putObject("trainingRuntimeSpec").putObject("template").putObject("spec");
    draft.append(entry, "spec", PATCHES);
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    Field reference = job.spec().child("runtimeRef");
    GroupKind kind = runtimeKind(reference);
    if (!review.isManaged(job)) {
      return;
    }
    if (!kind.equals(RUNTIME) && !kind.equals(CLUSTER_RUNTIME)) {
      findings.add(
          FieldError.invalid(
              reference,
              "must name a TrainingRuntime or ClusterTrainingRuntime of " + kind.group()));
    } else if (review.view().knows(kind) && runtime(review, job).isEmpty()) {
      findings.add(
          new FieldError(
              FieldError.Type.NOT_FOUND,
              reference.path(),
              reference.node(),
              "the runtime must be there before a job of it is queued"));
    }
  }

  private static GroupKind runtimeKind(Field reference) {
    return new GroupKind(
        reference.child("apiGroup").text().orElse(RUNTIME.group()),
        reference.child("kind").text().orElse(CLUSTER_RUNTIME.kind()));
  }

  private static Optional<JsonNode> runtime(JobReview review, JobObject job) {
    Field reference = job.spec().child("runtimeRef");
    GroupKind kind = runtimeKind(reference);
    String namespace = kind.equals(RUNTIME) ? review.input().namespace() : "";
    return review.view().find(kind, namespace, reference.child("name").text().orElse(""));
  }

  /** The Pod sets of the JobSet that the runtime makes, called by their names. */
  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return runtime(review, job).map(runtime -> podSets(Field.root(runtime), job)).orElse(List.of());
  }

  private static List<PodSet> podSets(Field runtime, JobObject job) {
    var all = new ArrayList<PodSet>();
    Field jobSet = runtime.child("spec").child("template").child("spec");
    Set<String> seen = new HashSet<>();
    for (Field replicated : JobSetAdmission.replicatedJobs(jobSet)) {
      String name = JobSetAdmission.name(replicated);
      if (seen.add(name)) {
        all.add(podSet(name, replicated, job));
      }
    }
    return all;
  }

  private static PodSet podSet(String name, Field replicated, JobObject job) {
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    ObjectNode annotations = metadata.putObject("annotations");
    merge(JobSetAdmission.template(replicated), annotations);
    for (Field patch : job.spec().child(PATCHES).items(MAX_PATCHES)) {
      Field patched = Paths.at(patch, List.of("trainingRuntimeSpec", "template", "spec"));
      for (Field other : JobSetAdmission.replicatedJobs(patched)) {
        if (JobSetAdmission.name(other).equals(name)) {
          merge(JobSetAdmission.template(other), annotations);
        }
      }
    }
    Field place = Field.root(MissingNode.getInstance()).child("job").key(name);
    return new PodSet(name, new Field(place.path(), metadata), pods(replicated, job));
  }

  private static void merge(Field template, ObjectNode annotations) {
    template
        .child("metadata")
        .child("annotations")
        .node()
        .properties()
        .forEach(it -> annotations.set(it.getKey(), it.getValue()));
  }

  private static long pods(Field replicated, JobObject job) {
    String step =
        JobObject.of(replicated.child("template").node())
            .labelText("trainer.kubeflow.org/trainjob-ancestor-step");
    Field nodes = job.spec().child("trainer").child("numNodes");
    return step.equals("trainer") && nodes.isPresent()
        ? Paths.count(nodes, 1)
        : JobSetAdmission.pods(replicated);
  }
}
