package dev.sluice.cli.kinds;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs of several kinds whose Pods are placed by topology, beside a real API server. The test makes
 * the Pods as the operators do, with the labels that number them; each takes a node of its own.
 */
@FullTier
@NeedsControlPlane
@Timeout(600)
class JobKindTopologyE2E {
  private static final String RACK = "example.com/rack";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final String TOPOLOGY = "halls";
  private static final String POD_CPU = "2";
  private static final String REPLICA_INDEX = "training.kubeflow.org/replica-index";
  private static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String JOB_INDEX = "jobset.sigs.k8s.io/job-index";
  private static final String WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";

  private static final List<KindStory> STORIES =
      KindStories.all().stream()
          .filter(
              it ->
                  List.of(
                          Framework.PYTORCH_JOB,
                          Framework.JOB_SET,
                          Framework.MPI_JOB,
                          Framework.LEADER_WORKER_SET,
                          Framework.RAY_JOB)
                      .contains(it.framework()))
          .toList();

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(CLUSTER, KindStories.frameworks(STORIES));

  /**
   * A job whose workers ask for one rack.
   *
   * @param template the pointer to the template of the workers
   * @param more what else is changed in the manifest
   * @param podSet which PodSet the workers are, counted from 0
   * @param request what the PodSet must say
   * @param numbers the labels of the workers, in the order of the nodes they belong on; empty where
   *     the operator numbers none
   */
  record Case(
      Framework framework,
      String template,
      Consumer<ObjectNode> more,
      int podSet,
      String request,
      List<Map<String, String>> numbers) {
    KindStory story() {
      return STORIES.stream().filter(it -> it.framework() == framework).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
      return framework.type().kind();
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
            new Case(
                Framework.PYTORCH_JOB,
                "/spec/pytorchReplicaSpecs/Worker/template",
                _ -> {},
                1,
                "{'podIndexLabel':'" + REPLICA_INDEX + "'}",
                List.of(Map.of(REPLICA_INDEX, "0"), Map.of(REPLICA_INDEX, "1"))),
            new Case(
                Framework.JOB_SET,
                "/spec/replicatedJobs/1/template/spec/template",
                _ -> {},
                1,
                "{'podIndexLabel':'%s','subGroupIndexLabel':'%s','subGroupCount':2}"
                    .formatted(COMPLETION_INDEX, JOB_INDEX),
                List.of(
                    Map.of(JOB_INDEX, "0", COMPLETION_INDEX, "0"),
                    Map.of(JOB_INDEX, "0", COMPLETION_INDEX, "1"),
                    Map.of(JOB_INDEX, "1", COMPLETION_INDEX, "0"),
                    Map.of(JOB_INDEX, "1", COMPLETION_INDEX, "1"))),
            new Case(
                Framework.MPI_JOB, // its launcher has the index 0, so its workers begin at 1
                "/spec/mpiReplicaSpecs/Worker/template",
                job -> job.withObject("/spec").put("runLauncherAsWorker", true),
                1,
                "{'podIndexLabel':'" + REPLICA_INDEX + "'}",
                List.of(Map.of(REPLICA_INDEX, "1"), Map.of(REPLICA_INDEX, "2"))),
            new Case(
                Framework.RAY_JOB,
                "/spec/rayClusterSpec/workerGroupSpecs/0/template",
                _ -> {},
                1,
                "{}",
                List.of(Map.of(), Map.of())))
        .filter(it -> STORIES.stream().anyMatch(story -> story.framework() == it.framework()));
  }

  @BeforeAll
  static void theKindsAreServedAndASchedulerRuns() throws IOException {
    KindStories.serve(CLUSTER.api(), STORIES);
    CLUSTER
        .api()
        .create(
            Kueue.collection(ApiKind.TOPOLOGY, ApiVersion.HUB),
            Kueue.topology(ApiVersion.HUB, TOPOLOGY, RACK, HOSTNAME))
        .orThrow();
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  /** The nodes of one namespace: racks of so many nodes, each with room for one Pod of the job. */
  private static KindScene scene(KindStory story, Map<String, Integer> racks) {
    String kind = story.framework().type().kind().toLowerCase(Locale.ROOT);
    String pool = "placed-" + kind;
    racks.forEach(
        (rack, nodes) ->
            IntStream.rangeClosed(1, nodes)
                .forEach(i -> createNode(pool, rack, pool + "-" + rack + i)));
    Kueue.create(
            CLUSTER.api(),
            ApiKind.RESOURCE_FLAVOR,
            pool,
            "{\"nodeLabels\":{\"pool\":\"%s\"},\"topologyName\":\"%s\"}".formatted(pool, TOPOLOGY))
        .orThrow();
    Kueue.create(
            CLUSTER.api(),
            ApiKind.CLUSTER_QUEUE,
            pool,
            """
            {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu","memory"],
            "flavors":[{"name":"%s","resources":[{"name":"cpu","nominalQuota":100},
            {"name":"memory","nominalQuota":"1Ti"}]}]}]}\
            """
                .formatted(pool))
        .orThrow();
    return new KindScene(CLUSTER.api(), SCHEDULER::await, story, pool).open(pool);
  }

  /** A node is created with a taint that a controller takes away once it is ready. */
  private static void createNode(String pool, String rack, String name) {
    CLUSTER
        .api()
        .create(
            "/api/v1/nodes",
            """
            {"metadata":{"name":"%1$s","labels":{"pool":"%2$s","example.com/rack":"%2$s-%3$s",
            "kubernetes.io/hostname":"%1$s"}},"status":{
            "capacity":{"cpu":"%4$s","memory":"64Gi","pods":"110"},
            "allocatable":{"cpu":"%4$s","memory":"64Gi","pods":"110"},
            "conditions":[{"type":"Ready","status":"True"}]}}\
            """
                .formatted(name, pool, rack, POD_CPU))
        .orThrow();
    CLUSTER.api().mergePatch("/api/v1/nodes/" + name, "{\"spec\":{\"taints\":null}}").orThrow();
  }

  /** Each container takes a whole node, and the templates there ask for one rack. */
  private static void ask(ObjectNode job, Map<String, String> more, String... templates) {
    for (String list : List.of("requests", "limits")) {
      job.findValues(list).forEach(it -> ((ObjectNode) it).put("cpu", POD_CPU));
    }
    for (String template : templates) {
      ObjectNode annotations =
          ((ObjectNode) job.at(template)).withObject("/metadata").withObject("/annotations");
      annotations.put(Annotations.REQUIRED_TOPOLOGY, RACK);
      more.forEach(annotations::put);
    }
  }

  private static void createPod(
      KindScene scene, String name, JsonNode template, Map<String, String> numbers) {
    ObjectNode pod = template.deepCopy();
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.remove("creationTimestamp");
    metadata.put("name", name);
    numbers.forEach((key, value) -> metadata.withObject("/labels").put(key, value));
    metadata.putArray("ownerReferences").add(KindScene.ownerReference(scene.job()));
    scene.create("/api/v1/namespaces/" + scene.namespace() + "/pods", pod.toString());
  }

  private static JsonNode pod(KindScene scene, String name) {
    return scene
        .api()
        .get("/api/v1/namespaces/" + scene.namespace() + "/pods/" + name)
        .orThrow()
        .json();
  }

  /** The node that a Pod was told; waits for it. */
  private static String host(KindScene scene, String name) {
    scene.await(
        name + " has its place", () -> pod(scene, name).at("/spec/schedulingGates").isEmpty());
    return pod(scene, name).at("/spec/nodeSelector").path(HOSTNAME).asText();
  }

  private static JsonNode request(JsonNode workload, int podSet) {
    return workload.at("/spec/podSets/" + podSet + "/topologyRequest");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void placesItsWorkersInOneRackInTheOrderOfTheirNumbers(Case job) {
    KindStory story = job.story();
    KindScene scene = scene(story, Map.of("a", 1, "b", 6));
    JsonNode before =
        scene.createJob(
            KindScene.QUEUE,
            it -> {
              ask(it, Map.of(), job.template());
              job.more().accept(it);
            });
    scene.await("it is started", () -> !story.isHeld(scene));

    ObjectNode expected = json(job.request());
    expected.put("required", RACK);
    assertThat(scene.workloads())
        .singleElement()
        .satisfies(it -> assertThat(request(it, job.podSet())).isEqualTo(expected))
        .satisfies(
            it ->
                assertThat(it.at("/status/admission/podSetAssignments").valueStream())
                    .allMatch(set -> set.path("topologyAssignment").isObject()));
    JsonNode template = story.templates(scene).get(job.podSet());
    assertThat(template.at("/spec/schedulingGates").toString()).contains(SchedulingGates.TOPOLOGY);

    // the last is made first, so that only its number says where it belongs
    List<String> names =
        IntStream.range(0, job.numbers().size()).mapToObj(it -> "worker-" + it).toList();
    for (int i = names.size() - 1; i >= 0; i--) {
      createPod(scene, names.get(i), template, job.numbers().get(i));
    }
    List<String> hosts = names.stream().map(it -> host(scene, it)).toList();
    assertThat(hosts)
        .doesNotHaveDuplicates()
        .allMatch(it -> it.startsWith(scene.namespace() + "-b"));
    if (!job.numbers().getFirst().isEmpty()) {
      assertThat(hosts).isSorted();
    }

    scene.setActive(false);
    scene.await("it is suspended", () -> story.isHeld(scene));
    assertThat(scene.job().path("spec")).isEqualTo(before.path("spec"));
  }

  @Test
  void placesEachGroupOfALeaderWorkerSetInARackOfItsOwnTheLeaderFirst() {
    KindStory story =
        STORIES.stream()
            .filter(it -> it.framework() == Framework.LEADER_WORKER_SET)
            .findFirst()
            .orElseThrow();
    KindScene scene = scene(story, Map.of("a", 1, "b", 3, "c", 3));
    String set = "/spec/leaderWorkerTemplate/";
    scene.createJob(
        KindScene.QUEUE,
        it ->
            ask(
                it,
                Map.of(Annotations.POD_SET_GROUP_NAME, "group"),
                set + "leaderTemplate",
                set + "workerTemplate"));
    scene.await("it is started", () -> !story.isHeld(scene));

    ObjectNode workers = JsonNodeFactory.instance.objectNode();
    workers.put("required", RACK).put("podSetGroupName", "group");
    workers.put("podIndexLabel", WORKER_INDEX);
    assertThat(scene.workloads())
        .hasSize(story.workloads())
        .allSatisfy(it -> assertThat(request(it, 1)).isEqualTo(workers));
    String leader = scene.job().at("/metadata/name").asText();
    List<String> racks = new ArrayList<>();
    for (int group = 0; group < story.workloads(); group++) {
      String first = leader + "-" + group;
      List<String> hosts =
          Stream.of(first, first + "-1", first + "-2").map(it -> host(scene, it)).toList();
      racks.addAll(hosts.stream().map(it -> it.substring(0, it.length() - 1)).distinct().toList());
      assertThat(hosts.subList(1, 3)).isSorted().doesNotContain(hosts.getFirst());
    }
    assertThat(racks).containsExactlyInAnyOrder(scene.namespace() + "-b", scene.namespace() + "-c");
    scene.operate(Phase.READY, "");
    scene.deleteJob();
  }
}
