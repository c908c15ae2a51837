package dev.sluice.jobs;

import static dev.sluice.jobs.Rays.SERVICE;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A RayService: a Ray cluster that serves until it is deleted. */
class RayServiceTest {
  private final TestCluster world = Rays.world();

  private void add(ObjectNode service) {
    world.add(service.toString());
    world.settle(SERVICE);
  }

  private void run(ObjectNode service) {
    add(service);
    world.changeWorkload(world.onlyWorkloadName(), Admissions::admit);
    world.settle(SERVICE);
    world.add(Rays.child(service(), service().at("/spec/rayClusterConfig")).toString());
    world.change(Rays.CLUSTER, it -> Rays.state(it, "ready"));
  }

  private void says(String status) {
    world.change(SERVICE, it -> it.set("status", json(status)));
    world.settle(SERVICE);
  }

  private JsonNode service() {
    return world.get(SERVICE);
  }

  private boolean isTrue(String condition) {
    return Conditions.isTrue(world.onlyWorkload(), condition);
  }

  @Test
  void asksForThePodsOfItsCluster() {
    add(Rays.service());

    assertThat(world.onlyWorkloadName()).startsWith("rayservice-s-");
    assertThat(Rays.names(world.onlyWorkload())).containsExactly("head", "small", "hosts");
    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 2, 8);
  }

  @Test
  void startsWithTheSettingsOfItsFlavorsAndIsRestoredExactly() {
    add(Rays.service());
    JsonNode before = service().path("spec");
    world.changeWorkload(world.onlyWorkloadName(), Admissions::admit);
    world.settle(SERVICE);
    JsonNode running = service().at("/spec/rayClusterConfig");

    assertThat(running.path("suspend").asBoolean()).isFalse();
    assertThat(running.at("/workerGroupSpecs/1/template/spec/nodeSelector/pool").asText())
        .isEqualTo("p1");
    assertThat(service().path("spec").has("suspend")).isFalse();
    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    world.settle(SERVICE);

    assertThat(service().path("spec")).isEqualTo(before);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "True,ready,true",
    "False,ready,true",
    "False,suspended,false",
    "True,suspended,true"
  })
  void keepsItsQuotaAfterAnEvictionWhileItServesOrItsClusterRuns(
      String ready, String cluster, boolean keeps) {
    run(Rays.service());
    says("{'conditions': [{'type': 'Ready', 'status': '" + ready + "'}]}");
    world.change(Rays.CLUSTER, it -> Rays.state(it, cluster));
    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    world.settle(SERVICE);

    assertThat(isTrue("QuotaReserved")).isEqualTo(keeps);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"True,true", "False,false"})
  void isReadyWhenItsOperatorSaysSoAndNeverEnds(String status, boolean ready) {
    run(Rays.service());
    says("{'conditions': [{'type': 'Ready', 'status': '" + status + "'}]}");

    assertThat(isTrue("PodsReady")).isEqualTo(ready);
    assertThat(isTrue("Finished")).isFalse();
  }

  @ParameterizedTest(name = "active {0}, pending {1}")
  @CsvSource({"c,'',5", "'',c,5", "c,other,5", "other,c,2", "'','',2"})
  void growsWithTheClusterThatServes(String active, String pending, int small) {
    run(Rays.elastic(Rays.service()));
    says(
        "{'activeServiceStatus': {'rayClusterName': '%s'}, 'pendingServiceStatus': {'rayClusterName': '%s'}}"
            .formatted(active, pending));
    world.change(
        Rays.CLUSTER, it -> ((ObjectNode) it.at("/spec/workerGroupSpecs/0")).put("replicas", 5));
    world.settle(SERVICE);

    assertThat(world.workloads())
        .extracting(Rays::counts)
        .contains(List.of(1, small, 8))
        .hasSize(small == 5 ? 2 : 1);
    assertThat(service().at("/spec/rayClusterConfig/suspend").asBoolean()).isFalse();
  }

  @Test
  void keepsItsQuotaWhileItIsDeletedUntilTheDataOfAllItsClustersAreDeleted() {
    ObjectNode service = Rays.service();
    service.withObject("/metadata").putArray("finalizers").add("ray.io/rayservice-finalizer");
    run(service);
    world.change(
        Rays.CLUSTER,
        it -> it.withObject("/metadata").putArray("finalizers").add(Rays.REDIS_CLEANUP));
    world.delete(SERVICE);
    world.settle(SERVICE);

    assertThat(isTrue("Finished")).isFalse();
    assertThat(isTrue("Admitted")).isTrue();
    assertThat(world.plan(SERVICE).again()).isPresent();
    assertThat(world.planner().touchedBy(world, Rays.CLUSTER.kind(), world.get(Rays.CLUSTER)))
        .contains(SERVICE, Rays.CLUSTER);
    world.change(Rays.CLUSTER, it -> it.withObject("/metadata").remove("finalizers"));
    world.settle(SERVICE);
    assertThat(isTrue("Finished")).isTrue();
  }
}
