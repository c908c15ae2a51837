package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodTest {
  private static final JobKey KEY = TestPods.key("solo");

  private final TestCluster cluster = Jobs.cluster();

  private void add() {
    cluster.add(TestPods.pod("solo").toString());
    cluster.settle(KEY);
  }

  private void run() {
    add();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, TestPods::run);
    cluster.settle(KEY);
  }

  @Test
  void givesAPodAWorkloadThatKnowsItsSpecAndNotItsLabels() {
    add();

    JsonNode workload = cluster.onlyWorkload();
    assertThat(cluster.onlyWorkloadName()).matches("pod-solo-[0-9a-f]{5}");
    JsonNode podSet = workload.at("/spec/podSets/0");
    assertThat(podSet.path("name").asText()).isEqualTo("main");
    assertThat(podSet.path("count").asInt()).isEqualTo(1);
    assertThat(podSet.at("/template/metadata")).isEmpty();
    assertThat(podSet.at("/template/spec")).isEqualTo(cluster.get(KEY).path("spec"));
    assertThat(podSet.path("topologyRequest"))
        .isEqualTo(json("{'podIndexLabel': 'kueue.x-k8s.io/pod-group-pod-index'}"));
    assertThat(workload.at("/metadata/ownerReferences/0/controller").asBoolean()).isTrue();
  }

  @Test
  void ungatesAnAdmittedPodWithTheSettingsOfItsFlavor() {
    run();

    JsonNode pod = cluster.get(KEY);
    assertThat(pod.path("spec").has("schedulingGates")).isFalse();
    assertThat(pod.at("/spec/nodeSelector")).isEqualTo(json("{'pool': 'p1'}"));
    assertThat(pod.at("/metadata/labels/kueue.x-k8s.io~1podset").asText()).isEqualTo("main");
    assertThat(pod.at("/metadata/annotations/kueue.x-k8s.io~1workload").asText())
        .isEqualTo(cluster.onlyWorkloadName());
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started");
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"UNFOLLOWED", "MAY_RUN", "CERTAIN"})
  void keepsAPodHereGatedThatRunsOnAnotherCluster(RemoteStop where) {
    cluster.remoteStop = where;
    add();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);

    cluster.settle(KEY);

    assertThat(Pods.isGated(cluster.get(KEY))).isTrue();
  }

  @Test
  void keepsTheTopologyGateOfAPodThatIsStillToGetAPlace() {
    add();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.admit(it);
          ((ObjectNode) it.at("/status/admission/podSetAssignments/0"))
              .putObject("topologyAssignment");
        });

    cluster.settle(KEY);

    assertThat(cluster.get(KEY).at("/spec/schedulingGates").toString())
        .isEqualTo("[{\"name\":\"kueue.x-k8s.io/topology\"}]");
  }

  @ParameterizedTest
  @CsvSource({"Succeeded, Succeeded", "Failed, Failed"})
  void letsAPodGoOnceItsEndIsStored(String phase, String reason) {
    run();
    cluster.change(KEY, it -> TestPods.end(it, phase));

    cluster.plan(KEY).writes().forEach(cluster::send);
    JsonNode finished = Conditions.find(cluster.onlyWorkload(), "Finished").orElseThrow();
    assertThat(finished.path("reason").asText()).isEqualTo(reason);
    assertThat(Pods.hasFinalizer(cluster.get(KEY))).isTrue();

    cluster.settle(KEY);
    assertThat(Pods.hasFinalizer(cluster.get(KEY))).isFalse();
    assertThat(new WorkloadView(cluster.onlyWorkload()).hasFinalizer()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Preempted", "NodeFailures"})
  void deletesAnEvictedPodAndSaysWhyInItsStatusFirst(String reason) {
    run();
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.evict(it, reason, "m"));

    assertThat(cluster.sendOne(KEY)).isTrue();
    JsonNode target = Conditions.find(cluster.get(KEY), "TerminationTarget").orElseThrow();
    assertThat(target.path("reason").asText()).isEqualTo("WorkloadEvictedDueTo" + reason);

    cluster.settle(KEY);
    assertThat(cluster.find(JobKey.POD, "ns", "solo")).isEmpty();
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "Finished")).isTrue();
    assertThat(new WorkloadView(cluster.onlyWorkload()).hasFinalizer()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Preempted", "NodeFailures"})
  void keepsAWaitingPodWhoseWorkloadWasEvicted(String reason) {
    add();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.reserve(it, 1);
          Admissions.evict(it, reason, "m");
        });

    cluster.settle(KEY);

    assertThat(cluster.find(JobKey.POD, "ns", "solo")).isPresent();
    JsonNode requeued = Conditions.find(cluster.onlyWorkload(), "Requeued").orElseThrow();
    assertThat(requeued.path("status").asText()).as("a Pod is not tried again").isEqualTo("False");
    assertThat(requeued.path("reason").asText()).isEqualTo(reason);
  }

  @Test
  void triesAPodAgainThatLostItsNodeWhereThatIsWanted() {
    TestCluster retrying =
        Jobs.cluster(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS, false);
    retrying.add(TestPods.pod("solo").toString());
    retrying.settle(KEY);
    retrying.changeWorkload(
        retrying.onlyWorkloadName(),
        it -> {
          Admissions.reserve(it, 1);
          Admissions.evict(it, "NodeFailures", "m");
        });

    retrying.settle(KEY);

    JsonNode requeued = Conditions.find(retrying.onlyWorkload(), "Requeued").orElseThrow();
    assertThat(requeued.path("status").asText()).isEqualTo("True");
  }

  @Test
  void deletesAWaitingPodWhoseWorkloadIsDeleted() {
    add();
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));

    cluster.settle(KEY);

    assertThat(cluster.find(JobKey.POD, "ns", "solo")).isEmpty();
    assertThat(cluster.workloads()).isEmpty();
  }

  @Test
  void lettsADeletedPodGoAndFreesItsQuota() {
    run();
    cluster.delete(KEY);

    cluster.settle(KEY);

    assertThat(cluster.find(JobKey.POD, "ns", "solo")).isEmpty();
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "Finished")).isTrue();
  }

  private void endIts(String end) {
    switch (end) {
      case "phase" -> cluster.change(KEY, it -> TestPods.end(it, "Succeeded"));
      case "deletion" -> cluster.delete(KEY);
      case "eviction" ->
          cluster.changeWorkload(
              cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
      default -> cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"phase", "deletion", "eviction", "deletion of its Workload"})
  void keepsTheFinalizersOfOthersWhenItsWorkloadEnds(String end) {
    run();
    cluster.change(
        KEY, it -> it.withObject("/metadata").withArray("finalizers").add("example.com/own"));
    endIts(end);
    cluster.settle(KEY);

    assertThat(cluster.get(KEY).at("/metadata/finalizers").toString())
        .isEqualTo("[\"example.com/own\"]");
    assertThat(cluster.workloads())
        .allMatch(it -> Conditions.isTrue(it, "Finished"))
        .noneMatch(it -> new WorkloadView(it).hasFinalizer());
    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void leavesPodsAloneThatAreNotMarked() {
    ObjectNode pod = TestPods.pod("solo");
    pod.withObject("/metadata/labels").remove("kueue.x-k8s.io/managed");
    cluster.add(pod.toString());

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
    assertThat(cluster.planner().touchedBy(cluster, JobKey.POD, pod)).isEmpty();
  }

  @Test
  void managesOnlyPodsWithAnOwnerThatQueuesThemWherePodsAreNotOn() {
    var implied = new TestCluster(Jobs.settings(List.of(Framework.DEPLOYMENT), false));
    ObjectNode own = TestPods.pod("solo");
    ObjectNode deployed = TestPods.pod("web");
    deployed
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/pod-suspending-parent", "deployment");
    implied.add(own.toString());
    implied.add(deployed.toString());

    implied.settle(KEY);
    implied.settle(TestPods.key("web"));

    assertThat(implied.onlyWorkloadName()).startsWith("pod-web-");
  }
}
