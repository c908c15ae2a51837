package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;
import java.util.Locale;

/**
 * A job of kubeflow.org that maps roles to replicas.
 *
 * @param replicas the field that maps roles to replicas
 * @param roles the roles of its sample, such as {@code Worker=2}, in the order of the Pod sets
 */
record ReplicaStory(Framework framework, String replicas, List<String> roles) implements KindStory {
  ReplicaStory {
    roles = List.copyOf(roles);
  }

  static List<KindStory> all() {
    return List.of(
        new ReplicaStory(
            Framework.PYTORCH_JOB, "pytorchReplicaSpecs", List.of("Master=1", "Worker=2")),
        new ReplicaStory(Framework.TF_JOB, "tfReplicaSpecs", List.of("PS=1", "Worker=2")),
        new ReplicaStory(Framework.PADDLE_JOB, "paddleReplicaSpecs", List.of("Worker=2")),
        new ReplicaStory(Framework.XGBOOST_JOB, "xgbReplicaSpecs", List.of("Master=1", "Worker=2")),
        new ReplicaStory(Framework.JAX_JOB, "jaxReplicaSpecs", List.of("Worker=2")),
        new ReplicaStory(Framework.MPI_JOB, "mpiReplicaSpecs", List.of("Launcher=1", "Worker=2")));
  }

  @Override
  public List<String> definitions() {
    return List.of(
        Resources.text("kinds/kubeflow.yaml")
            .replace("KIND", framework.type().kind())
            .replace("PLURAL", framework.plural())
            .replace("VERSION", framework.type().version())
            .replace("REPLICAS", replicas));
  }

  @Override
  public List<String> podSets() {
    return roles.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
  }

  @Override
  public boolean isSuspended(JsonNode job) {
    return job.at("/spec/runPolicy/suspend").asBoolean();
  }

  private List<String> roleNames() {
    return roles.stream().map(it -> it.substring(0, it.indexOf('='))).toList();
  }

  @Override
  public List<JsonNode> templates(KindScene scene) {
    JsonNode job = scene.job();
    return roleNames().stream()
        .map(it -> job.path("spec").path(replicas).path(it).path("template"))
        .toList();
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    Conditions.add(conditions, "Created", true, "created");
    switch (phase) {
      case PODS_CREATED -> {}
      case READY -> Conditions.add(conditions, "Running", true, "running");
      case STOPPED -> {
        Conditions.add(conditions, "Suspended", true, "suspended");
        Conditions.add(conditions, "Running", false, "suspended");
      }
      case SUCCEEDED -> {
        Conditions.add(conditions, "Running", false, "ended");
        Conditions.add(conditions, "Succeeded", true, message);
      }
      case FAILED -> {
        Conditions.add(conditions, "Running", false, "ended");
        Conditions.add(conditions, "Failed", true, message);
      }
    }
    boolean isActive = phase == Phase.PODS_CREATED || phase == Phase.READY;
    ObjectNode statuses = status.putObject("replicaStatuses");
    for (String role : roles) {
      int equals = role.indexOf('=');
      ObjectNode one = statuses.putObject(role.substring(0, equals));
      if (isActive) {
        one.put("active", Integer.parseInt(role.substring(equals + 1)));
      }
    }
    return status;
  }
}
