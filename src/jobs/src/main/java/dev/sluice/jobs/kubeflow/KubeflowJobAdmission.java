package dev.sluice.jobs.kubeflow;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A job of kubeflow.org/v1.
 *
 * @param name the kind
 * @param replicas the field that maps roles to Pods
 * @param roles the roles, in their order
 */
public record KubeflowJobAdmission(String name, String replicas, List<String> roles)
    implements SuspendableKind {
  public KubeflowJobAdmission {
    requireNonNull(name, "name");
    requireNonNull(replicas, "replicas");
    roles = List.copyOf(roles);
  }

  public static List<KubeflowJobAdmission> all() {
    return List.of(
        new KubeflowJobAdmission("PyTorchJob", "pytorchReplicaSpecs", List.of("Master", "Worker")),
        new KubeflowJobAdmission(
            "TFJob", "tfReplicaSpecs", List.of("Chief", "Master", "PS", "Worker", "Evaluator")),
        new KubeflowJobAdmission("PaddleJob", "paddleReplicaSpecs", List.of("Master", "Worker")),
        new KubeflowJobAdmission("XGBoostJob", "xgbReplicaSpecs", List.of("Master", "Worker")),
        new KubeflowJobAdmission("JAXJob", "jaxReplicaSpecs", List.of("Worker")));
  }

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("kubeflow.org", "v1", name);
  }

  @Override
  public String framework() {
    return "kubeflow.org/" + name.toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> suspendPath() {
    return List.of("spec", "runPolicy", "suspend");
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(
        new ManagedBy(List.of("spec", "runPolicy", "managedBy"), "kubeflow.org/training-operator"));
  }

  @Override
  public OnUpdate onUpdate() {
    return OnUpdate.NEW_FAULTS;
  }

  @Override
  public Grouping grouping() {
    return Grouping.WARNED_OF;
  }

  @Override
  public List<Field> templates(Field root) {
    return podSets(root, replicas, roles).stream().map(PodSet::metadata).toList();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return podSets(job.root(), replicas, roles);
  }

  /** One Pod set for each role that is there. */
  public static List<PodSet> podSets(Field root, String replicas, List<String> roles) {
    Field specs = root.child("spec").child(replicas);
    return roles.stream()
        .filter(role -> specs.key(role).isPresent())
        .map(role -> podSet(role, specs.key(role)))
        .toList();
  }

  private static PodSet podSet(String role, Field spec) {
    return PodSet.of(
        role.toLowerCase(Locale.ROOT),
        spec.child("template"),
        Paths.count(spec.child("replicas"), 1));
  }
}
