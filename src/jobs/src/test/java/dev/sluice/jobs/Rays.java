package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import java.util.List;

/** Ray objects of tests, and what the operator of Ray does with them. */
final class Rays {
  static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
  static final String REDIS_CLEANUP = "ray.io/gcs-ft-redis-cleanup-finalizer";

  static final JobKey CLUSTER = key(Framework.RAY_CLUSTER, "c");
  static final JobKey JOB = key(Framework.RAY_JOB, "j");
  static final JobKey SERVICE = key(Framework.RAY_SERVICE, "s");

  private static final String TEMPLATE =
      """
      {'metadata': {'labels': {'a': 'b'}},
       'spec': {'nodeSelector': {'disk': 'ssd'}, 'containers': [
         {'name': 'ray', 'image': 'ray:2', 'resources': {'requests': {'cpu': '1', 'memory': '1Gi'}}}]}}
      """;

  /** A head, two workers, and two replicas of four hosts each. */
  static final String SPEC =
      """
      {'headGroupSpec': {'rayStartParams': {}, 'template': %s},
       'workerGroupSpecs': [
         {'groupName': 'Small', 'replicas': 2, 'template': %s},
         {'groupName': 'hosts', 'replicas': 2, 'numOfHosts': 4, 'template': %s}]}
      """
          .formatted(TEMPLATE, TEMPLATE, TEMPLATE);

  private Rays() {}

  private static JobKey key(Framework framework, String name) {
    return JobKey.of(framework.type().groupKind(), TestCluster.NAMESPACE, name);
  }

  private static JobSettings settings() {
    return Jobs.settings(
        List.of(Framework.JOB, Framework.RAY_CLUSTER, Framework.RAY_JOB, Framework.RAY_SERVICE),
        false);
  }

  static TestCluster world() {
    return world(settings());
  }

  static TestCluster world(FeatureGate gate, boolean on) {
    JobSettings plain = settings();
    return world(
        new JobSettings(
            plain.management(),
            plain.gates().with(gate, on),
            plain.watchesReadiness(),
            plain.afterDeactivated(),
            plain.customKinds()));
  }

  private static TestCluster world(JobSettings settings) {
    var world = new TestCluster(settings);
    world.add(Jobs.FLAVOR);
    return world;
  }

  private static ObjectNode object(Framework framework, JobKey key) {
    ObjectNode object = json("{}");
    object.put("apiVersion", framework.type().apiVersion()).put("kind", framework.type().kind());
    object.withObject("/metadata").put("name", key.name()).put("namespace", key.namespace());
    object.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "lq");
    return object;
  }

  /** A RayCluster that the webhook suspended. */
  static ObjectNode cluster() {
    ObjectNode cluster = object(Framework.RAY_CLUSTER, CLUSTER);
    cluster.set("spec", json(SPEC).put("suspend", true));
    return cluster;
  }

  /** A RayJob that the webhook suspended, whose task nobody submits. */
  static ObjectNode job() {
    ObjectNode job = object(Framework.RAY_JOB, JOB);
    ObjectNode spec = job.putObject("spec");
    spec.put("suspend", true).put("submissionMode", "HTTPMode");
    spec.put("shutdownAfterJobFinishes", true);
    spec.set("rayClusterSpec", json(SPEC));
    return job;
  }

  /** A RayService that the webhook suspended. */
  static ObjectNode service() {
    ObjectNode service = object(Framework.RAY_SERVICE, SERVICE);
    service.putObject("spec").set("rayClusterConfig", json(SPEC).put("suspend", true));
    return service;
  }

  /** Lets it grow while it runs. */
  static ObjectNode elastic(ObjectNode object) {
    object.withObject("/metadata/annotations").put(ELASTIC, "true");
    return object;
  }

  /** The RayCluster that the operator makes for an owner: not suspended, with that template. */
  static ObjectNode child(JsonNode owner, JsonNode spec) {
    ObjectNode child = object(Framework.RAY_CLUSTER, CLUSTER);
    child.set("spec", spec.deepCopy());
    child.withObject("/spec").remove("suspend");
    JsonNode annotations = owner.at("/metadata/annotations");
    if (annotations.isObject()) {
      child.withObject("/metadata").set("annotations", annotations.deepCopy());
    }
    controlledBy(child, owner);
    return child;
  }

  /** Names the owner that controls an object. */
  static void controlledBy(ObjectNode child, JsonNode owner) {
    ObjectNode reference =
        child
            .withObject("/metadata")
            .putArray("ownerReferences")
            .addObject()
            .put("controller", true);
    for (String member : List.of("apiVersion", "kind")) {
      reference.set(member, owner.path(member));
    }
    for (String member : List.of("name", "uid")) {
      reference.set(member, owner.path("metadata").path(member));
    }
  }

  /** The operator says that the cluster is in that state, and has seen it as it is. */
  static void state(ObjectNode cluster, String state) {
    ObjectNode status = cluster.withObject("/status");
    status.put("state", state);
    status.put("observedGeneration", cluster.at("/metadata/generation").asLong());
  }

  static List<String> names(JsonNode workload) {
    return workload.at("/spec/podSets").valueStream().map(it -> it.path("name").asText()).toList();
  }

  static List<Integer> counts(JsonNode workload) {
    return workload.at("/spec/podSets").valueStream().map(it -> it.path("count").asInt()).toList();
  }
}
