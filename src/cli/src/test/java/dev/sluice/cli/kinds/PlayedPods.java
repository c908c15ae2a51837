package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The Pods that the operator of a kind makes for its job, and what a machine reports of them. The
 * stories whose Pods wait themselves make theirs, so they have none here. For one thread.
 */
public final class PlayedPods {
  private final KindScene scene;
  private final KindStory story;
  private final List<String> names = new ArrayList<>();

  /** None yet. */
  public PlayedPods(KindScene scene, KindStory story) {
    this.scene = scene;
    this.story = story;
  }

  private String collection() {
    return "/api/v1/namespaces/" + scene.namespace() + "/pods";
  }

  /** Creates and binds as many as the job has. */
  public void create() {
    if (story.makesItsPods()) {
      return;
    }
    for (String podSet : story.podSets()) {
      int equals = podSet.indexOf('=');
      for (int i = 0; i < Integer.parseInt(podSet.substring(equals + 1)); i++) {
        create(podSet.substring(0, equals) + "-" + i);
      }
    }
  }

  private void create(String name) {
    JsonNode pod =
        scene.create(
            collection(),
            """
            {"metadata":{"name":"%s","labels":{"example.com/job":"%s"}},
            "spec":{"containers":[{"name":"main","image":"registry.example.com/work:1",
            "resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}\
            """
                .formatted(name, scene.namespace()));
    LeaderWorkerSetStory.bind(scene, pod);
    names.add(name);
  }

  /** All are running and ready. */
  public void run() {
    patch(
        """
        {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}\
        """);
  }

  /** All have done their work. */
  public void succeed() {
    patch("{\"status\":{\"phase\":\"Succeeded\"}}");
  }

  private void patch(String status) {
    names.forEach(
        it -> scene.api().mergePatch(collection() + "/" + it + "/status", status).orThrow());
  }

  /** None is left. */
  public void delete() {
    names.forEach(it -> scene.api().deleteNow(collection() + "/" + it));
    names.clear();
  }
}
