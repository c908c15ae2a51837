package dev.sluice.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ray clusters that grow and shrink while they run; the test makes Pods as the operator does. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ElasticRayE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(CLUSTER, KindStories.frameworks(RayStory.all()));

  static Stream<RayStory> stories() {
    return RayStory.all().stream();
  }

  /** One cluster in its namespace. */
  private record Growing(RayStory story, KindScene scene) {
    private JsonNode cluster() {
      return scene.api().get(story.clusterPath(scene)).orThrow().json();
    }

    private String pods() {
      return "/api/v1/namespaces/" + scene.namespace() + "/pods";
    }

    private void createHead() {
      createPod("head", cluster().at("/spec/headGroupSpec/template"));
    }

    private void createWorker(int number) {
      createPod("worker-" + number, cluster().at("/spec/workerGroupSpecs/0/template"));
    }

    private void createPod(String name, JsonNode template) {
      ObjectNode pod = JsonNodeFactory.instance.objectNode();
      ObjectNode metadata = pod.putObject("metadata").put("name", name);
      metadata.setAll((ObjectNode) template.path("metadata"));
      pod.set("spec", template.path("spec"));
      scene.create(pods(), pod.toString());
    }

    private boolean isHeld(String pod) {
      JsonNode spec = scene.api().get(pods() + "/" + pod).orThrow().json().path("spec");
      return !spec.path("schedulingGates").isEmpty();
    }

    private void awaitStart(String pod) {
      scene.await(pod + " may start", () -> !isHeld(pod));
    }

    private void scale(int workers) {
      scene.await(
          "the cluster is scaled",
          () -> {
            ObjectNode changed = (ObjectNode) cluster();
            ((ObjectNode) changed.at("/spec/workerGroupSpecs/0")).put("replicas", workers);
            return scene.api().put(story.clusterPath(scene), changed.toString()).isSuccess();
          });
    }

    /** How many workers the Workloads that are not finished ask for, the older first. */
    private List<Integer> asked() {
      return scene.workloads().stream()
          .filter(it -> !ApiClient.hasCondition(it, ConditionTypes.FINISHED))
          .map(it -> it.at("/spec/podSets/1/count").asInt())
          .sorted()
          .toList();
    }
  }

  @BeforeAll
  static void theKindsAreServedAndASchedulerRuns() throws IOException {
    KindStories.serve(CLUSTER.api(), RayStory.all());
    KindScene.createFlavor(CLUSTER.api());
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  @ParameterizedTest
  @MethodSource("stories")
  void growAsFarAsThereIsQuotaAndShrinkWithoutBeingStopped(RayStory story) {
    String kind = story.framework().type().kind().toLowerCase(Locale.ROOT);
    KindScene scene =
        new KindScene(CLUSTER.api(), SCHEDULER::await, story, "elastic-" + kind).open();
    var growing = new Growing(story, scene);
    scene.createJob(
        KindScene.QUEUE,
        it -> it.withObject("/metadata/annotations").put(Annotations.ELASTIC_JOB, "true"));
    scene.await("it is started", () -> !story.isSuspended(scene.job()));
    scene.operate(Phase.READY, "");
    growing.createHead();
    growing.awaitStart("head");

    growing.scale(3);
    List.of(0, 1, 2).forEach(growing::createWorker);
    List.of(0, 1, 2).forEach(it -> growing.awaitStart("worker-" + it));

    growing.scale(500);
    growing.createWorker(3);
    scene.await("more wait for quota", () -> growing.asked().equals(List.of(3, 500)));
    assertThat(growing.isHeld("worker-3")).isTrue();

    growing.scale(4);
    growing.awaitStart("worker-3");
    scene.await("all are counted", () -> growing.asked().equals(List.of(4)));

    growing.scale(1);
    scene.await("the rest is given back", () -> growing.asked().equals(List.of(1)));
    assertThat(story.isSuspended(scene.job())).isFalse();
    assertThat(growing.cluster().at("/spec/suspend").asBoolean()).isFalse();
  }
}
