package dev.sluice.webhook.rules.jobs.kinds;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.Field;
import dev.sluice.webhook.rules.jobs.JobObject;
import dev.sluice.webhook.rules.jobs.JobReview;
import dev.sluice.webhook.rules.jobs.Paths;
import dev.sluice.webhook.rules.jobs.topology.PodSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A job of kubeflow.org/v1.
 *
 * @param name the kind
 * @param replicas the field that maps roles to Pods
 * @param roles the roles, in their order
 * @param takesPrebuiltWorkload whether it can stand for a Workload that is there already
 */
record KubeflowJob(String name, String replicas, List<String> roles, boolean takesPrebuiltWorkload)
    implements SuspendableKind {
  KubeflowJob {
    requireNonNull(name, "name");
    requireNonNull(replicas, "replicas");
    roles = List.copyOf(roles);
  }

  static List<KubeflowJob> all() {
    return List.of(
        new KubeflowJob("PyTorchJob", "pytorchReplicaSpecs", List.of("Master", "Worker"), true),
        new KubeflowJob(
            "TFJob",
            "tfReplicaSpecs",
            List.of("Chief", "Master", "PS", "Worker", "Evaluator"),
            true),
        new KubeflowJob("PaddleJob", "paddleReplicaSpecs", List.of("Master", "Worker"), true),
        new KubeflowJob("XGBoostJob", "xgbReplicaSpecs", List.of("Master", "Worker"), true),
        new KubeflowJob("JAXJob", "jaxReplicaSpecs", List.of("Worker"), false));
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
  public String plural() {
    return name.toLowerCase(Locale.ROOT) + "s";
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
  static List<PodSet> podSets(Field root, String replicas, List<String> roles) {
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
