package dev.sluice.jobs.mpi;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.kubeflow.KubeflowJobAdmission;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The MPIJob: a launcher and its workers. Its violations are reported in the order of their fields.
 */
public final class MpiJobAdmission implements SuspendableKind {
  static final String REPLICAS = "mpiReplicaSpecs";
  private static final String LAUNCHER = "Launcher";
  private static final String WORKER = "Worker";
  static final List<String> ROLES = List.of(LAUNCHER, WORKER);

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("kubeflow.org", "v2beta1", "MPIJob");
  }

  @Override
  public String framework() {
    return "kubeflow.org/mpijob";
  }

  @Override
  public List<String> suspendPath() {
    return List.of("spec", "runPolicy", "suspend");
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(
        new ManagedBy(List.of("spec", "runPolicy", "managedBy"), "kubeflow.org/mpi-operator"));
  }

  @Override
  public List<Field> templates(Field root) {
    return podSets(root).stream().map(PodSet::metadata).toList();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return podSets(job.root());
  }

  private static List<PodSet> podSets(Field root) {
    return KubeflowJobAdmission.podSets(root, REPLICAS, ROLES);
  }

  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    Field spec = draft.root().child("spec");
    Field specs = spec.child(REPLICAS);
    Field launcher = specs.key(LAUNCHER).child("template").child("metadata");
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && Paths.isTrue(spec.child("runLauncherAsWorker"))
        && specs.key(LAUNCHER).isPresent()
        && specs.key(WORKER).isPresent()
        && !launcher.child("annotations").key(Annotations.POD_SET_GROUP_NAME).isPresent()) {
      Defaults.templateAnnotation(
          draft, Annotations.POD_INDEX_OFFSET, "1", "spec", REPLICAS, WORKER, "template");
    }
  }

  @Override
  public void check(JobReview review, ValidationResult findings) {
    var found = new ValidationResult();
    SuspendableKind.super.check(review, found);
    found.violations().stream()
        .sorted(Comparator.comparing(FieldError::field))
        .forEach(findings::add);
    found.warnings().forEach(findings::warn);
    found.failure().ifPresent(findings::fail);
  }
}
