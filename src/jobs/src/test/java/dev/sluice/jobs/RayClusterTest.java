package dev.sluice.jobs;

import static dev.sluice.jobs.Rays.CLUSTER;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Conditions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A RayCluster that is queued by itself. */
class RayClusterTest {
  private TestCluster world = Rays.world();

  private void add(ObjectNode cluster) {
    world.add(cluster.toString());
    world.settle(CLUSTER);
  }

  private void admit() {
    world.changeWorkload(world.onlyWorkloadName(), Admissions::admit);
    world.settle(CLUSTER);
  }

  private void run(ObjectNode cluster) {
    add(cluster);
    admit();
    says("ready");
  }

  private void says(String state) {
    world.change(CLUSTER, it -> Rays.state(it, state));
    world.settle(CLUSTER);
  }

  private JsonNode cluster() {
    return world.get(CLUSTER);
  }

  private boolean runs() {
    return !cluster().at("/spec/suspend").asBoolean();
  }

  private static ObjectNode with(String field, String value) {
    ObjectNode cluster = Rays.cluster();
    cluster.withObject("/spec").set(field, json(value));
    return cluster;
  }

  private JsonNode head() {
    return world.onlyWorkload().at("/spec/podSets/0/template/spec/containers");
  }

  @Test
  void asksForItsHeadAndEachHostOfItsGroups() {
    add(Rays.cluster());

    assertThat(world.onlyWorkloadName()).startsWith("raycluster-c-");
    assertThat(Rays.names(world.onlyWorkload())).containsExactly("head", "small", "hosts");
    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 2, 8);
    assertThat(head()).hasSize(1);
    assertThat(world.onlyWorkload().at("/spec/podSets/0").has("topologyRequest")).isFalse();
  }

  @ParameterizedTest(name = "replicas {0} of {1} hosts make {2}")
  @CsvSource({"3,2,6", "0,4,0", ",,1", "2,,2", ",3,3", "1,0,1"})
  void countsReplicasTimesHosts(Integer replicas, Integer hosts, int pods) {
    ObjectNode cluster = Rays.cluster();
    ObjectNode group = (ObjectNode) cluster.at("/spec/workerGroupSpecs/1");
    group.put("replicas", replicas).put("numOfHosts", hosts);
    add(cluster);

    assertThat(Rays.counts(world.onlyWorkload()).get(2)).isEqualTo(pods);
  }

  @Test
  void asksForThePlacesThatItsTemplatesNameWithoutAnIndex() {
    ObjectNode cluster = Rays.cluster();
    cluster
        .withObject("/spec/headGroupSpec/template/metadata/annotations")
        .put("kueue.x-k8s.io/podset-required-topology", "rack");
    add(cluster);

    assertThat(world.onlyWorkload().at("/spec/podSets/0/topologyRequest"))
        .isEqualTo(json("{'required': 'rack'}"));
  }

  @Test
  void asksForTheAutoscalerBesideTheHead() {
    ObjectNode cluster = Rays.elastic(Rays.cluster());
    cluster.withObject("/spec").put("enableInTreeAutoscaling", true);
    add(cluster);

    assertThat(head()).hasSize(2);
    assertThat(head().path(1))
        .isEqualTo(
            json(
                """
                {'name': 'autoscaler', 'image': 'ray:2', 'resources': {
                  'requests': {'cpu': '500m', 'memory': '512Mi'},
                  'limits': {'cpu': '500m', 'memory': '512Mi'}}}
                """));
  }

  @Test
  void requestsTheResourcesOfTheAutoscaler() {
    ObjectNode cluster =
        with("autoscalerOptions", "{'image': 'i', 'resources': {'requests': {'cpu': '2'}}}");
    cluster.withObject("/spec").put("enableInTreeAutoscaling", true);
    add(Rays.elastic(cluster));

    assertThat(head().path(1))
        .isEqualTo(
            json("{'name': 'autoscaler', 'image': 'i', 'resources': {'requests': {'cpu': '2'}}}"));
  }

  @ParameterizedTest(name = "head with {0} is asked for with {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "{} | {'requests': {'cpu': '200m', 'memory': '256Mi'}}",
        "{'requests': {'cpu': '1', 'memory': '1Gi'}} | {'requests': {'cpu': '1', 'memory': '1Gi'}}",
        "{'requests': {'cpu': '0.1', 'memory': '1Gi'}} | {'requests': {'cpu': '200m', 'memory':"
            + " '1Gi'}}",
        "{'limits': {'cpu': '2', 'memory': '1Gi'}} | {'limits': {'cpu': '2', 'memory': '1Gi'}}",
        "{'limits': {'cpu': 2, 'memory': '1Mi'}} | {'limits': {'cpu': 2, 'memory': '256Mi'},"
            + " 'requests': {'memory': '256Mi'}}"
      })
  void makesRoomInItsHeadForThePodThatCleansRedis(String head, String asked) {
    ObjectNode cluster = with("gcsFaultToleranceOptions", "{'redisAddress': 'redis:6379'}");
    ((ObjectNode) cluster.at("/spec/headGroupSpec/template/spec/containers/0"))
        .set("resources", json(head));
    add(cluster);

    assertThat(head().path(0).path("resources")).isEqualTo(json(asked));
  }

  @Test
  void makesThatRoomAlsoWhereAnAnnotationTurnsFaultToleranceOn() {
    ObjectNode cluster = Rays.cluster();
    cluster.withObject("/metadata/annotations").put("ray.io/ft-enabled", "True");
    ((ObjectNode) cluster.at("/spec/headGroupSpec/template/spec/containers/0")).remove("resources");
    add(cluster);

    assertThat(head().at("/0/resources/requests/memory").asText()).isEqualTo("256Mi");
  }

  @Test
  void startsWithTheSettingsOfItsFlavorsAndIsRestoredExactly() {
    add(Rays.cluster());
    JsonNode before = cluster().path("spec");
    admit();
    JsonNode running = cluster().path("spec");

    assertThat(running.path("suspend").asBoolean()).isFalse();
    for (String at : List.of("/headGroupSpec", "/workerGroupSpecs/0", "/workerGroupSpecs/1")) {
      JsonNode template = running.at(at + "/template");
      assertThat(template.at("/spec/nodeSelector"))
          .isEqualTo(json("{'disk': 'ssd', 'pool': 'p1'}"));
      assertThat(template.at("/spec/tolerations/0/key").asText()).isEqualTo("spot");
    }
    assertThat(running.at("/workerGroupSpecs/0/template/metadata/labels"))
        .isEqualTo(
            json(
                """
                {'a': 'b', 'kueue.x-k8s.io/podset': 'small',
                 'kueue.x-k8s.io/local-queue-name': 'lq', 'kueue.x-k8s.io/cluster-queue-name': 'cq'}
                """));

    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    world.settle(CLUSTER);
    assertThat(cluster().path("spec")).isEqualTo(before);
    assertThat(world.eventReasons()).containsExactly("CreatedWorkload", "Started", "Stopped");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "{'state': 'ready'} | true",
        "{'state': 'suspended', 'observedGeneration': 9} | false",
        "{'state': 'failed', 'observedGeneration': 9} | false",
        "{} | false",
        "{'availableWorkerReplicas': 1, 'observedGeneration': 9} | true",
        "{'conditions': [{'type': 'RayClusterSuspending', 'status': 'True'}]} | true",
        "{'conditions': [{'type': 'RayClusterSuspending', 'status': 'False'}]} | false",
        "{'observedGeneration': 1} | true",
        "{'state': 'suspended', 'observedGeneration': 1} | false"
      })
  void keepsItsQuotaAfterAnEvictionWhileItsPodsMayRun(String status, boolean keeps) {
    run(Rays.cluster());
    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    world.settle(CLUSTER);
    assertThat(Conditions.isTrue(world.onlyWorkload(), "QuotaReserved")).isTrue();

    world.change(CLUSTER, it -> it.set("status", json(status)));
    world.settle(CLUSTER);

    assertThat(Conditions.isTrue(world.onlyWorkload(), "QuotaReserved")).isEqualTo(keeps);
  }

  @Test
  void isReadyWhenItsOperatorSaysSo() {
    add(Rays.cluster());
    admit();
    world.pass(Duration.ofSeconds(5));
    world.settle(CLUSTER);
    assertThat(Conditions.isTrue(world.onlyWorkload(), "PodsReady")).isFalse();

    says("ready");

    assertThat(Conditions.isTrue(world.onlyWorkload(), "PodsReady")).isTrue();
  }

  @Test
  void neverEndsByItself() {
    run(Rays.cluster());
    says("");
    says("ready");

    assertThat(runs()).isTrue();
    assertThat(Conditions.isTrue(world.onlyWorkload(), "Finished")).isFalse();
  }

  private void scale(int group, int replicas) {
    world.pass(Duration.ofSeconds(1));
    world.change(
        CLUSTER,
        it -> ((ObjectNode) it.at("/spec/workerGroupSpecs/" + group)).put("replicas", replicas));
    world.settle(CLUSTER);
  }

  private List<JsonNode> byAge() {
    return world.workloads().stream()
        .sorted(Comparator.comparing(it -> it.at("/metadata/creationTimestamp").asText()))
        .toList();
  }

  @Test
  void isStoppedWhenItChangesItsSizeAndIsNotElastic() {
    run(Rays.cluster());
    scale(0, 5);

    assertThat(runs()).isFalse();
  }

  @Test
  void growsByASecondWorkloadWhileItRuns() {
    run(Rays.elastic(Rays.cluster()));
    String first = world.onlyWorkloadName();
    assertThat(cluster().at("/spec/headGroupSpec/template/spec/schedulingGates/0/name").asText())
        .isEqualTo(Rays.ELASTIC);
    scale(0, 5);

    assertThat(runs()).isTrue();
    assertThat(byAge())
        .extracting(Rays::counts)
        .containsExactly(List.of(1, 2, 8), List.of(1, 5, 8));
    assertThat(
            byAge()
                .getLast()
                .at("/metadata/annotations")
                .path("kueue.x-k8s.io/workload-slice-replacement-for")
                .asText())
        .isEqualTo("ns/" + first);
  }

  @Test
  void shrinksInPlace() {
    run(Rays.elastic(Rays.cluster()));
    scale(1, 1);

    assertThat(runs()).isTrue();
    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 2, 4);
  }

  @Test
  void changesItsWorkloadInPlaceWhileItWaits() {
    add(Rays.elastic(Rays.cluster()));
    scale(0, 7);

    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 7, 8);
    assertThat(runs()).isFalse();
  }

  @Test
  void isNotElasticWhereThatIsOff() {
    world = Rays.world(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES, false);
    run(Rays.elastic(Rays.cluster()));
    scale(0, 5);

    assertThat(runs()).isFalse();
  }

  @Test
  void letsPodsOfElasticClustersGoAlsoWhereJobsAreOff() {
    assertThat(world.planner().letsPodsGo()).isTrue();
    assertThat(
            Rays.world(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES, false).planner().letsPodsGo())
        .isFalse();
  }

  private void delete(boolean cleansRedis) {
    ObjectNode cluster = Rays.cluster();
    cluster
        .withObject("/metadata")
        .putArray("finalizers")
        .add(cleansRedis ? Rays.REDIS_CLEANUP : "other");
    run(cluster);
    world.delete(CLUSTER);
    world.settle(CLUSTER);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"true", "false"})
  void keepsItsQuotaUntilItsDataInRedisAreDeleted(boolean cleansRedis) {
    delete(cleansRedis);

    assertThat(Conditions.isTrue(world.onlyWorkload(), "Finished")).isEqualTo(!cleansRedis);
    world.change(CLUSTER, it -> it.withObject("/metadata").remove("finalizers"));
    world.settle(CLUSTER);
    assertThat(Conditions.isTrue(world.onlyWorkload(), "Finished")).isTrue();
    assertThat(world.onlyWorkload().at("/metadata/finalizers")).isEmpty();
  }

  @Test
  void endsItsWorkloadAtOnceWhereNobodyWaitsForRedis() {
    world = Rays.world(FeatureGate.DEFER_RAY_SERVICE_FINALIZATION_FOR_REDIS_CLEANUP, false);
    delete(true);

    assertThat(Conditions.isTrue(world.onlyWorkload(), "Finished")).isTrue();
  }
}
