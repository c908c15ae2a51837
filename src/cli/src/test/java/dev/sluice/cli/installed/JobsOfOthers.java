package dev.sluice.cli.installed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.kinds.KindScene;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.testkit.ApiClient;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One job of each kind that does not come with Kubernetes, whose operator is played: it is started,
 * given up and deleted, so that every right to its kind is used.
 */
final class JobsOfOthers {
  private static final String QUEUE = "jobs-of-others";

  /** Of these, others that run here ask for the same rights. */
  private static final Set<Framework> ELSEWHERE =
      Set.of(Framework.JOB, Framework.LEADER_WORKER_SET);

  private final ApiClient api;
  private final KindScene.Awaiting awaiting;

  JobsOfOthers(ApiClient api, KindScene.Awaiting awaiting) {
    this.api = api;
    this.awaiting = awaiting;
  }

  /** Makes the API server serve the kinds. */
  void serve() {
    KindStories.serve(api, KindStories.all());
  }

  /** Plays all of them, one after the other; the flavor and the AdmissionCheck are there. */
  void play(String flavor, String check) {
    String spec =
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu","memory"],"flavors":[
        {"name":"%s","resources":[{"name":"cpu","nominalQuota":16},
        {"name":"memory","nominalQuota":"64Gi"}]}]}],
        "admissionChecksStrategy":{"admissionChecks":[{"name":"%s"}]}}\
        """
            .formatted(flavor, check);
    Kueue.create(api, ApiKind.CLUSTER_QUEUE, QUEUE, spec).orThrow();
    for (KindStory story : KindStories.all()) {
      if (!ELSEWHERE.contains(story.framework())) {
        play(story, check);
      }
    }
  }

  private void play(KindStory story, String check) {
    String kind = story.framework().type().kind().toLowerCase(Locale.ROOT);
    var scene = new KindScene(api, awaiting, story, "others-" + kind).open(QUEUE);
    scene.createJob(KindScene.QUEUE);
    scene.await("it has quota", () -> scene.is(ConditionTypes.QUOTA_RESERVED));
    answer(scene, check, "Ready");
    scene.await("it is started", () -> !story.isHeld(scene));
    scene.operate(Phase.READY, "");
    answer(scene, check, "Rejected");
    scene.await("it is suspended", () -> story.isHeld(scene));
    scene.operate(Phase.STOPPED, "");
    scene.await("it is given up and deleted", () -> !scene.hasJob());
  }

  /** Answers as the controller of the check does, once its entry is there. */
  private static void answer(KindScene scene, String check, String state) {
    scene.await(
        "the check is asked for",
        () ->
            scene.workloads().stream().noneMatch(it -> it.at("/status/admissionChecks").isEmpty()));
    String workloads = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, scene.namespace()) + "/";
    List<JsonNode> all = scene.workloads();
    for (JsonNode workload : all) {
      scene
          .api()
          .mergePatch(
              workloads + workload.at("/metadata/name").asText() + "/status",
              """
              {"status":{"admissionChecks":[{"name":"%s","state":"%s","message":"",
              "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
              """
                  .formatted(check, state))
          .orThrow();
    }
  }
}
