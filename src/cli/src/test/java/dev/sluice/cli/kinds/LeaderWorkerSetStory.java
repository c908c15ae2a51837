package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.cli.testcluster.Kueue;
import java.util.List;

/**
 * Two groups of a leader and two workers. The StatefulSets and Pods of its controllers are made
 * here, and a kubelet is played: a Pod that is bound ends when its machine says so.
 */
record LeaderWorkerSetStory() implements KindStory {
  private static final String PREFIX = "leaderworkerset.sigs.k8s.io/";
  private static final int GROUPS = 2;
  private static final int SIZE = 3;

  @Override
  public Framework framework() {
    return Framework.LEADER_WORKER_SET;
  }

  @Override
  public List<String> definitions() {
    return List.of(Resources.text("kinds/leaderworkerset.yaml"));
  }

  @Override
  public List<String> podSets() {
    return List.of("leader=1", "worker=2");
  }

  @Override
  public int workloads() {
    return GROUPS;
  }

  @Override
  public boolean makesPods() {
    return true;
  }

  @Override
  public boolean ends() {
    return false;
  }

  /** It has no switch: its templates say that its Pods wait. */
  @Override
  public boolean isSuspended(JsonNode job) {
    return job.findValuesAsText(Annotations.POD_SUSPENDING_PARENT).stream()
            .filter(framework().frameworkName()::equals)
            .count()
        == 2;
  }

  @Override
  public boolean isHeld(KindScene scene) {
    return ScenePods.all(scene).stream().filter(it -> !isEnding(it) && !isGated(it)).count()
        != GROUPS * SIZE;
  }

  /** The Pods of the first group themselves. */
  @Override
  public List<JsonNode> templates(KindScene scene) {
    String leader = scene.job().at("/metadata/name").asText() + "-0";
    return List.of(ScenePods.find(scene, leader), ScenePods.find(scene, leader + "-1"));
  }

  private static String sets(KindScene scene) {
    return "/apis/apps/v1/namespaces/" + scene.namespace() + "/statefulsets";
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static boolean isEnding(JsonNode pod) {
    return pod.path("metadata").has("deletionTimestamp");
  }

  private static boolean isGated(JsonNode pod) {
    return !pod.at("/spec/schedulingGates").isEmpty();
  }

  @Override
  public void begin(KindScene scene) {
    JsonNode job = scene.job();
    createGroups(scene, createSet(scene, name(job), job, "leaderTemplate"));
  }

  /** The workers of a group belong to a StatefulSet that belongs to the leader. */
  private static void createGroups(KindScene scene, JsonNode leaders) {
    for (int i = 0; i < GROUPS; i++) {
      JsonNode leader = createPod(scene, leaders, i, 0);
      JsonNode workers = createSet(scene, name(leader), leader, "workerTemplate");
      for (int worker = 1; worker < SIZE; worker++) {
        createPod(scene, workers, i, worker);
      }
    }
  }

  private static JsonNode createSet(KindScene scene, String name, JsonNode owner, String template) {
    String label = PREFIX + "name";
    String job = name(scene.job());
    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.put("apiVersion", "apps/v1").put("kind", "StatefulSet");
    ObjectNode metadata = set.putObject("metadata").put("name", name);
    metadata.putObject("labels").put(label, job);
    metadata.putArray("ownerReferences").add(KindScene.ownerReference(owner));
    ObjectNode spec = set.putObject("spec").put("serviceName", job).put("replicas", 2);
    spec.putObject("selector").putObject("matchLabels").put(label, job);
    ObjectNode made = scene.job().at("/spec/leaderWorkerTemplate").path(template).deepCopy();
    made.withObject("/metadata/labels").put(label, job);
    spec.set("template", made);
    return scene.create(sets(scene), set.toString());
  }

  /** A Pod as the StatefulSet controller makes it, with the labels of its group. */
  private static JsonNode createPod(KindScene scene, JsonNode set, int group, int worker) {
    ObjectNode pod = set.at("/spec/template").deepCopy();
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.remove("creationTimestamp");
    metadata.put("name", name(set) + "-" + (worker == 0 ? group : worker));
    metadata
        .withObject("/labels")
        .put(PREFIX + "group-index", Integer.toString(group))
        .put(PREFIX + "worker-index", Integer.toString(worker))
        .put("controller-revision-hash", "first");
    metadata.putArray("ownerReferences").add(KindScene.ownerReference(set));
    return ScenePods.create(scene, pod);
  }

  @Override
  public void operate(KindScene scene, Phase phase, String message) {
    switch (phase) {
      case PODS_CREATED -> ScenePods.all(scene).forEach(it -> ScenePods.bind(scene, it));
      case READY -> ScenePods.all(scene).forEach(it -> ScenePods.run(scene, it));
      default -> replace(scene);
    }
    KindStory.super.operate(scene, phase, message);
  }

  /**
   * The Pods end that were told to, the sets of workers go with their leaders, and others are made
   * in their places.
   */
  private static void replace(KindScene scene) {
    scene.await(
        "its Pods are to end",
        () ->
            ScenePods.all(scene).stream()
                .filter(it -> ScenePods.isBound(it))
                .allMatch(it -> isEnding(it)));
    String leaders = name(scene.job());
    scene.items(sets(scene)).stream()
        .filter(it -> !name(it).equals(leaders))
        .forEach(it -> removeSet(scene, it));
    ScenePods.removeAll(scene);
    createGroups(scene, scene.api().get(sets(scene) + "/" + leaders).orThrow().json());
  }

  private static void removeSet(KindScene scene, JsonNode set) {
    scene.api().delete(sets(scene) + "/" + name(set)).orThrow();
  }

  @Override
  public void collect(KindScene scene) {
    scene.items(sets(scene)).forEach(it -> removeSet(scene, it));
    ScenePods.removeAll(scene);
    String workloads = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, scene.namespace());
    scene.workloads().forEach(it -> scene.api().delete(workloads + "/" + name(it)));
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    int ready = phase == Phase.READY ? GROUPS : 0;
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("replicas", GROUPS).put("readyReplicas", ready);
    Conditions.add(status.putArray("conditions"), "Available", ready > 0, phase.name());
    return status;
  }
}
