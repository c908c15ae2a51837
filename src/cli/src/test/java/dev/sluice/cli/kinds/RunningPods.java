package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;

/**
 * A story whose Pods exist: each is created, bound, runs and succeeds, as an operator, the
 * scheduler of Pods and a kubelet have it. A scheduler watches all Pods of its cluster, so they are
 * part of what a job costs it.
 */
public record RunningPods(KindStory story) implements KindStory {
  /** That story with Pods; the same if it makes Pods anyway. */
  public static KindStory of(KindStory story) {
    return story.makesPods() ? story : new RunningPods(story);
  }

  @Override
  public boolean makesPods() {
    return true;
  }

  @Override
  public void operate(KindScene scene, Phase phase, String message) {
    switch (phase) {
      case PODS_CREATED -> create(scene);
      case READY -> ScenePods.all(scene).forEach(it -> ScenePods.run(scene, it));
      case SUCCEEDED -> end(scene, "Succeeded");
      case FAILED -> end(scene, "Failed");
      case STOPPED -> ScenePods.removeAll(scene);
    }
    story.operate(scene, phase, message);
  }

  private static void end(KindScene scene, String phase) {
    ScenePods.all(scene).forEach(it -> ScenePods.setPhase(scene, it, phase, false));
  }

  private void create(KindScene scene) {
    List<JsonNode> templates = story.templates(scene);
    JsonNode owner = KindScene.ownerReference(scene.job());
    for (int i = 0; i < podSets().size(); i++) {
      String set = podSets().get(i);
      for (int pod = 0; pod < count(set); pod++) {
        String name = set.substring(0, set.indexOf('=')) + "-" + pod;
        ScenePods.bind(scene, ScenePods.create(scene, pod(name, templates.get(i), owner)));
      }
    }
  }

  /** A Pod of that template, some of which are no more than what a flavor adds. */
  private static ObjectNode pod(String name, JsonNode template, JsonNode owner) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = pod.putObject("metadata").put("name", name);
    metadata.withArray("ownerReferences").add(owner);
    for (String copied : List.of("labels", "annotations")) {
      if (template.path("metadata").path(copied).isObject()) {
        metadata.set(copied, template.path("metadata").path(copied));
      }
    }
    ObjectNode spec = pod.putObject("spec");
    for (String copied : List.of("nodeSelector", "tolerations", "containers")) {
      if (template.path("spec").has(copied)) {
        spec.set(copied, template.path("spec").path(copied));
      }
    }
    if (!spec.has("containers")) {
      ObjectNode container = spec.putArray("containers").addObject();
      container.put("name", "main").put("image", "busybox:1.36");
      container.putObject("resources").putObject("requests").put("cpu", "1").put("memory", "1Gi");
    }
    return pod;
  }

  @Override
  public void collect(KindScene scene) {
    ScenePods.removeAll(scene);
    story.collect(scene);
  }

  /** How many Pods each Workload of the job has. */
  public static int podsOf(KindStory story) {
    return story.podSets().stream().mapToInt(RunningPods::count).sum();
  }

  private static int count(String set) {
    return Integer.parseInt(set.substring(set.indexOf('=') + 1));
  }

  @Override
  public void adjust(ObjectNode job) {
    story.adjust(job);
  }

  @Override
  public void prepare(KindScene scene) {
    story.prepare(scene);
  }

  @Override
  public void begin(KindScene scene) {
    story.begin(scene);
  }

  @Override
  public Framework framework() {
    return story.framework();
  }

  @Override
  public String sample() {
    return story.sample();
  }

  @Override
  public List<String> definitions() {
    return story.definitions();
  }

  @Override
  public List<String> podSets() {
    return story.podSets();
  }

  @Override
  public int workloads() {
    return story.workloads();
  }

  @Override
  public boolean isSuspended(JsonNode job) {
    return story.isSuspended(job);
  }

  @Override
  public boolean isHeld(KindScene scene) {
    return story.isHeld(scene);
  }

  @Override
  public boolean isRestoredAtOnce() {
    return story.isRestoredAtOnce();
  }

  @Override
  public boolean ends() {
    return story.ends();
  }

  @Override
  public List<JsonNode> templates(KindScene scene) {
    return story.templates(scene);
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    return story.status(phase, message);
  }

  @Override
  public String end(Phase phase, String message) {
    return story.end(phase, message);
  }
}
