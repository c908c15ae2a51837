package dev.sluice.api.configuration;

import dev.sluice.api.GroupVersionKind;
import java.util.Optional;

/** The kinds of jobs that are managed once {@code integrations.frameworks} names them. */
public enum Framework {
  JOB("batch/job", "batch", "v1", "Job", "jobs"),
  POD("pod", "", "v1", "Pod", "pods"),
  DEPLOYMENT("deployment", "apps", "v1", "Deployment", "deployments"),
  STATEFUL_SET("statefulset", "apps", "v1", "StatefulSet", "statefulsets"),
  LEADER_WORKER_SET(
      "leaderworkerset.x-k8s.io/leaderworkerset",
      "leaderworkerset.x-k8s.io",
      "v1",
      "LeaderWorkerSet",
      "leaderworkersets"),
  JOB_SET("jobset.x-k8s.io/jobset", "jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets"),
  MPI_JOB("kubeflow.org/mpijob", "kubeflow.org", "v2beta1", "MPIJob", "mpijobs"),
  PYTORCH_JOB("kubeflow.org/pytorchjob", "kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"),
  TF_JOB("kubeflow.org/tfjob", "kubeflow.org", "v1", "TFJob", "tfjobs"),
  PADDLE_JOB("kubeflow.org/paddlejob", "kubeflow.org", "v1", "PaddleJob", "paddlejobs"),
  XGBOOST_JOB("kubeflow.org/xgboostjob", "kubeflow.org", "v1", "XGBoostJob", "xgboostjobs"),
  JAX_JOB("kubeflow.org/jaxjob", "kubeflow.org", "v1", "JAXJob", "jaxjobs"),
  RAY_CLUSTER("ray.io/raycluster", "ray.io", "v1", "RayCluster", "rayclusters"),
  RAY_JOB("ray.io/rayjob", "ray.io", "v1", "RayJob", "rayjobs"),
  RAY_SERVICE("ray.io/rayservice", "ray.io", "v1", "RayService", "rayservices"),
  APP_WRAPPER(
      "workload.codeflare.dev/appwrapper",
      "workload.codeflare.dev",
      "v1beta2",
      "AppWrapper",
      "appwrappers"),
  SPARK_APPLICATION(
      "sparkoperator.k8s.io/sparkapplication",
      "sparkoperator.k8s.io",
      "v1beta2",
      "SparkApplication",
      "sparkapplications"),
  TRAIN_JOB(
      "trainer.kubeflow.org/trainjob", "trainer.kubeflow.org", "v1alpha1", "TrainJob", "trainjobs");

  private final String frameworkName;

  @SuppressWarnings("ImmutableEnumChecker") // a record of strings
  private final GroupVersionKind type;

  private final String plural;

  Framework(String frameworkName, String group, String version, String kind, String plural) {
    this.frameworkName = frameworkName;
    this.type = new GroupVersionKind(group, version, kind);
    this.plural = plural;
  }

  /** The name in the Configuration file. */
  public String frameworkName() {
    return frameworkName;
  }

  /** The kind it manages. */
  public GroupVersionKind type() {
    return type;
  }

  /** The plural of URLs. */
  public String plural() {
    return plural;
  }

  /** Whether its jobs are queued pod by pod, so that it brings {@link #POD} with it. */
  public boolean needsPods() {
    return this == DEPLOYMENT || this == STATEFUL_SET || this == LEADER_WORKER_SET;
  }

  /** Whether the controller of its jobs makes objects that are jobs of other kinds. */
  public boolean makesJobs() {
    return switch (this) {
      case JOB_SET, MPI_JOB, RAY_JOB, RAY_SERVICE, LEADER_WORKER_SET, APP_WRAPPER, TRAIN_JOB ->
          true;
      default -> false;
    };
  }

  /** The framework of exactly this name; empty for any other text. */
  public static Optional<Framework> find(String frameworkName) {
    for (Framework framework : values()) {
      if (framework.frameworkName.equals(frameworkName)) {
        return Optional.of(framework);
      }
    }
    return Optional.empty();
  }

  /** The framework of that kind, at whatever version; empty if there is none. */
  public static Optional<Framework> find(String group, String kind) {
    for (Framework framework : values()) {
      if (framework.type.group().equals(group) && framework.type.kind().equals(kind)) {
        return Optional.of(framework);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return frameworkName;
  }
}
