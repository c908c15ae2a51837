package dev.sluice.cli.kinds;

import static dev.sluice.api.configuration.Framework.RAY_CLUSTER;
import static dev.sluice.api.configuration.Framework.RAY_JOB;
import static dev.sluice.api.configuration.Framework.RAY_SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A RayCluster, or a RayJob or RayService with the RayCluster that the operator makes for it.
 *
 * @param cluster the pointer to the specification of its cluster
 */
record RayStory(Framework framework, String cluster, List<String> podSets) implements KindStory {
  private static final String CHILD = "made-by-the-operator";

  RayStory {
    podSets = List.copyOf(podSets);
  }

  static List<RayStory> all() {
    return List.of(
        new RayStory(RAY_CLUSTER, "/spec", List.of("head=1", "workers=2")),
        new RayStory(
            RAY_JOB, "/spec/rayClusterSpec", List.of("head=1", "workers=2", "submitter=1")),
        new RayStory(RAY_SERVICE, "/spec/rayClusterConfig", List.of("head=1", "workers=1")));
  }

  @Override
  public List<String> definitions() {
    return Stream.of(RAY_CLUSTER, framework).distinct().map(RayDefinitions::of).toList();
  }

  @Override
  public boolean isSuspended(JsonNode job) {
    return job.at(framework == RAY_SERVICE ? cluster : "/spec").path("suspend").asBoolean();
  }

  @Override
  public boolean ends() {
    return framework == RAY_JOB;
  }

  @Override
  public List<JsonNode> templates(KindScene scene) {
    JsonNode job = scene.job();
    List<JsonNode> templates = new ArrayList<>();
    templates.add(job.at(cluster).at("/headGroupSpec/template"));
    job.at(cluster).path("workerGroupSpecs").forEach(it -> templates.add(it.path("template")));
    if (framework == RAY_JOB) {
      templates.add(job.at("/spec/submitterPodTemplate"));
    }
    return templates;
  }

  @Override
  public void operate(KindScene scene, Phase phase, String message) {
    if (framework != RAY_CLUSTER) {
      operateCluster(scene, phase);
    }
    KindStory.super.operate(scene, phase, message);
  }

  /** The operator deletes the cluster of a RayJob with its task, and keeps that of a RayService. */
  private void operateCluster(KindScene scene, Phase phase) {
    String path = scene.collection(RAY_CLUSTER) + "/" + CHILD;
    boolean exists = scene.api().get(path).isSuccess();
    boolean runs = phase == Phase.PODS_CREATED || phase == Phase.READY;
    if (runs && !exists) {
      scene.create(scene.collection(RAY_CLUSTER), child(scene.job()).toString());
    }
    if (!runs && framework == RAY_JOB) {
      scene.api().delete(path).orThrow();
      return;
    }
    scene.await(
        "the cluster runs as long as its owner is admitted",
        () -> scene.api().get(path).orThrow().json().at("/spec/suspend").asBoolean() != runs);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("status", clusterStatus(phase));
    scene.api().mergePatch(path + "/status", body.toString()).orThrow();
  }

  /** The cluster goes with a RayService. That of a RayJob is gone with its task. */
  @Override
  public void collect(KindScene scene) {
    if (framework == RAY_SERVICE) {
      scene.api().delete(scene.collection(RAY_CLUSTER) + "/" + CHILD); // which may be gone
    }
  }

  /** Where the cluster is whose size changes while it runs. */
  String clusterPath(KindScene scene) {
    String name = framework == RAY_CLUSTER ? scene.job().at("/metadata/name").asText() : CHILD;
    return scene.collection(RAY_CLUSTER) + "/" + name;
  }

  private ObjectNode child(JsonNode owner) {
    ObjectNode child = JsonNodeFactory.instance.objectNode();
    child.put("apiVersion", RAY_CLUSTER.type().apiVersion()).put("kind", RAY_CLUSTER.type().kind());
    ObjectNode metadata = child.putObject("metadata").put("name", CHILD);
    for (String copied : List.of("labels", "annotations")) {
      if (owner.path("metadata").path(copied).isObject()) {
        metadata.set(copied, owner.path("metadata").path(copied));
      }
    }
    metadata.putArray("ownerReferences").add(KindScene.ownerReference(owner));
    child.set("spec", owner.at(cluster));
    return child;
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    return switch (framework) {
      case RAY_JOB -> jobStatus(phase, message);
      case RAY_SERVICE -> serviceStatus(phase);
      default -> clusterStatus(phase);
    };
  }

  private static ObjectNode clusterStatus(Phase phase) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    return status.put(
        "state",
        switch (phase) {
          case PODS_CREATED -> "";
          case READY -> "ready";
          case STOPPED, SUCCEEDED, FAILED -> "suspended";
        });
  }

  private static ObjectNode jobStatus(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.set("rayClusterStatus", clusterStatus(phase));
    status.put("rayClusterName", CHILD).put("message", message);
    return switch (phase) {
      case PODS_CREATED -> status.put("jobDeploymentStatus", "Initializing");
      case READY -> status.put("jobDeploymentStatus", "Running").put("jobStatus", "RUNNING");
      case STOPPED -> status.put("jobDeploymentStatus", "Suspended").put("jobStatus", "STOPPED");
      case SUCCEEDED -> status.put("jobDeploymentStatus", "Complete").put("jobStatus", "SUCCEEDED");
      case FAILED -> status.put("jobDeploymentStatus", "Failed").put("jobStatus", "FAILED");
    };
  }

  private static ObjectNode serviceStatus(Phase phase) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    Conditions.add(status.putArray("conditions"), "Ready", phase == Phase.READY, phase.name());
    status.putObject("activeServiceStatus").put("rayClusterName", CHILD);
    return status;
  }

  @Override
  public String toString() {
    return framework.frameworkName();
  }
}
