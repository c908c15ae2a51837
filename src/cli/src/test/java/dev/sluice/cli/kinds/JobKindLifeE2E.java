package dev.sluice.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job of each kind from the manifest of its sample to its end, beside a real API server with the
 * webhooks and a scheduler. The operators of the kinds are not there: the stories say what they
 * write.
 */
@FullTier
@NeedsControlPlane
@Timeout(600)
class JobKindLifeE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(
          CLUSTER,
          KindStories.frameworks(KindStories.all())
              + "featureGates:\n  SparkApplicationIntegration: true\n");

  static Stream<KindStory> stories() {
    return KindStories.all().stream();
  }

  @BeforeAll
  static void theKindsAreServedAndASchedulerRuns() throws IOException {
    KindStories.serve(CLUSTER.api(), KindStories.all());
    KindScene.createFlavor(CLUSTER.api());
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  private static KindScene scene(KindStory story, String name) {
    String kind = story.framework().type().kind().toLowerCase(Locale.ROOT);
    return new KindScene(CLUSTER.api(), SCHEDULER::await, story, name + "-" + kind).open();
  }

  private static void awaitStart(KindStory story, KindScene scene) {
    scene.await("it is started", () -> !story.isHeld(scene));
  }

  private static List<String> podSets(JsonNode workload) {
    List<String> podSets = new ArrayList<>();
    for (JsonNode it : workload.at("/spec/podSets")) {
      podSets.add(it.path("name").asText() + "=" + it.path("count").asInt());
    }
    return podSets;
  }

  private static String queue(JsonNode workload) {
    return workload.at("/spec/queueName").asText();
  }

  /** What a user wrote: what no start and no stop may leave changed. */
  private static String written(JsonNode job) {
    JsonNode metadata = job.path("metadata");
    return job.path("spec") + "\n" + metadata.path("labels") + "\n" + metadata.path("annotations");
  }

  private static void assertInjected(JsonNode template, String podSet) {
    assertThat(template.at("/metadata/labels").path(Labels.POD_SET).asText()).isEqualTo(podSet);
    assertThat(template.at("/spec/nodeSelector").path(KindScene.NODE_LABEL).asText())
        .isEqualTo("kinds");
    assertThat(template.at("/spec/tolerations").toString()).contains("example.com/spot");
  }

  @ParameterizedTest
  @MethodSource("stories")
  void runsFromItsManifestToItsEnd(KindStory story) {
    KindScene scene = scene(story, "runs");

    assertThat(story.isSuspended(scene.createJob(KindScene.QUEUE))).isTrue();
    awaitStart(story, scene);

    assertThat(scene.workloads())
        .hasSize(story.workloads())
        .allSatisfy(it -> assertThat(podSets(it)).isEqualTo(story.podSets()))
        .allSatisfy(it -> assertThat(queue(it)).isEqualTo(KindScene.QUEUE));
    List<JsonNode> templates = story.templates(scene);
    assertThat(templates).hasSameSizeAs(story.podSets());
    for (int i = 0; i < templates.size(); i++) {
      String podSet = story.podSets().get(i);
      assertInjected(templates.get(i), podSet.substring(0, podSet.indexOf('=')));
    }

    scene.operate(Phase.PODS_CREATED, "");
    assertThat(scene.is(ConditionTypes.PODS_READY)).isFalse();
    scene.operate(Phase.READY, "");
    scene.await("its Pods are ready", () -> scene.is(ConditionTypes.PODS_READY));

    if (story.ends()) {
      end(story, scene, Phase.SUCCEEDED, "all is done");
    } else {
      scene.deleteJob();
    }
    scene.await("its quota is free", () -> !scene.isAnythingReserved());
  }

  private static void end(KindStory story, KindScene scene, Phase phase, String message) {
    scene.operate(phase, message);
    scene.await("it is finished", () -> scene.is(ConditionTypes.FINISHED));
    String reason = phase == Phase.SUCCEEDED ? "Succeeded" : "Failed";
    assertThat(scene.workloads())
        .extracting(it -> Conditions.text(it, ConditionTypes.FINISHED))
        .containsOnly(reason + ": " + story.end(phase, message));
  }

  @ParameterizedTest
  @MethodSource("stories")
  void isRestoredByteForByteWhenItIsEvictedAndRunsAgain(KindStory story) {
    KindScene scene = scene(story, "evicted");
    String before = written(scene.createJob(KindScene.QUEUE));
    awaitStart(story, scene);
    scene.operate(Phase.READY, "");
    scene.await("the queue says so", scene::isAnythingReserved);

    scene.setActive(false);
    scene.await("it is suspended", () -> story.isHeld(scene));
    if (story.isRestoredAtOnce()) {
      assertThat(written(scene.job())).isEqualTo(before);
    }
    assertThat(scene.is(ConditionTypes.QUOTA_RESERVED)).as("its Pods still run").isTrue();

    scene.operate(Phase.STOPPED, "");
    scene.await( // the queue counts it no more since it was switched off
        "its reservation ends",
        () -> scene.eachWorkload(it -> !ApiClient.hasCondition(it, ConditionTypes.QUOTA_RESERVED)));
    scene.await("its quota is free", () -> !scene.isAnythingReserved());
    assertThat(written(scene.job())).isEqualTo(before);

    scene.setActive(true);
    awaitStart(story, scene);
    scene.operate(Phase.READY, "");
    if (story.ends()) {
      end(story, scene, Phase.FAILED, "exit code 1");
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void leavesNothingReservedWhenItIsDeletedWhileItRuns(KindStory story) {
    KindScene scene = scene(story, "deleted");
    scene.createJob(KindScene.QUEUE);
    awaitStart(story, scene);
    scene.operate(Phase.READY, "");
    scene.await("the queue says so", scene::isAnythingReserved);

    scene.deleteJob();

    scene.await("its quota is free", () -> !scene.isAnythingReserved());
    scene.await(
        "its Workload has no finalizer",
        () -> scene.workloads().stream().allMatch(it -> it.at("/metadata/finalizers").isEmpty()));
  }

  @ParameterizedTest
  @MethodSource("stories")
  void followsItsQueueWhileItWaits(KindStory story) {
    KindScene scene = scene(story, "moved");
    scene.createJob(KindScene.EMPTY_QUEUE);
    scene.await(
        "it waits in the queue without quota",
        () -> scene.eachWorkload(it -> queue(it).equals(KindScene.EMPTY_QUEUE)));

    scene.updateJob(
        false, job -> job.withObject("/metadata/labels").put(Labels.QUEUE_NAME, KindScene.QUEUE));
    awaitStart(story, scene);

    assertThat(scene.eachWorkload(it -> queue(it).equals(KindScene.QUEUE))).isTrue();
    assertThat(scene.is(ConditionTypes.ADMITTED)).isTrue();
  }
}
