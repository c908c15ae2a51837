package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The Pods of a scene, as their operator, the scheduler of Pods and a kubelet change them. */
final class ScenePods {
  private ScenePods() {}

  private static String collection(KindScene scene) {
    return "/api/v1/namespaces/" + scene.namespace() + "/pods";
  }

  static List<JsonNode> all(KindScene scene) {
    return scene.items(collection(scene));
  }

  static JsonNode find(KindScene scene, String name) {
    return scene.api().get(collection(scene) + "/" + name).orThrow().json();
  }

  static JsonNode create(KindScene scene, JsonNode pod) {
    return scene.create(collection(scene), pod.toString());
  }

  static boolean isBound(JsonNode pod) {
    return !pod.at("/spec/nodeName").asText().isEmpty();
  }

  /** Only a Pod without gates can be bound. */
  static void bind(KindScene scene, JsonNode pod) {
    scene.create(
        collection(scene) + "/" + name(pod) + "/binding",
        """
        {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
        "target":{"kind":"Node","name":"machine"}}\
        """
            .formatted(name(pod)));
  }

  /** Lets a Pod run and be ready; binds it before if nobody did. */
  static void run(KindScene scene, JsonNode pod) {
    if (!isBound(pod)) {
      bind(scene, pod);
    }
    setPhase(scene, pod, "Running", true);
  }

  static void setPhase(KindScene scene, JsonNode pod, String phase, boolean ready) {
    String status =
        """
        {"status":{"phase":"%s","conditions":[{"type":"Ready","status":"%s"}]}}\
        """
            .formatted(phase, ready ? "True" : "False");
    scene.api().mergePatch(collection(scene) + "/" + name(pod) + "/status", status).orThrow();
  }

  static void removeAll(KindScene scene) {
    all(scene).forEach(it -> scene.api().deleteNow(collection(scene) + "/" + name(it)));
    scene.await("its Pods are gone", () -> all(scene).isEmpty());
  }

  private static String name(JsonNode pod) {
    return pod.at("/metadata/name").asText();
  }
}
