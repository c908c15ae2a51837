package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemplatedJobTest {
  private static final JobKey SET =
      JobKey.of(new GroupKind("jobset.x-k8s.io", "JobSet"), "ns", "s");
  private static final GroupVersionKind CUSTOM = new GroupVersionKind("example.com", "v1", "Run");
  private static final JobKey RUN = JobKey.of(CUSTOM.groupKind(), "ns", "r");

  private final TestCluster cluster = new TestCluster(settings());

  private static JobSettings settings() {
    JobSettings plain = Jobs.settings(List.of(Framework.JOB, Framework.JOB_SET), false);
    return new JobSettings(
        plain.management(),
        plain.gates(),
        plain.watchesReadiness(),
        plain.afterDeactivated(),
        List.of(
            new CustomKind(
                CUSTOM,
                "runs",
                ObjectPath.parse("spec.paused"),
                List.of(ObjectPath.parse("spec.roles[*].template").orElseThrow()),
                Optional.empty())));
  }

  private static final String TEMPLATE =
      """
      {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}
      """;

  private void addSet() {
    cluster.add(Jobs.FLAVOR);
    cluster.add(
        """
        {'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet',
         'metadata': {'name': 's', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'suspend': true, 'replicatedJobs': [
           {'name': 'Driver', 'template': {'spec': {'template': %s}}},
           {'name': 'worker', 'replicas': 3,
            'template': {'spec': {'parallelism': 4, 'completions': 2, 'template': %s}}}]}}
        """
            .formatted(TEMPLATE, TEMPLATE));
    cluster.settle(SET);
  }

  private void addRun() {
    cluster.add(Jobs.FLAVOR);
    cluster.add(
        """
        {'apiVersion': 'example.com/v1', 'kind': 'Run',
         'metadata': {'name': 'r', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'paused': true, 'roles': {
           'Main': {'template': %s}, 'helper': {'replicas': 2, 'template': %s}}}}
        """
            .formatted(TEMPLATE, TEMPLATE));
    cluster.settle(RUN);
  }

  private JsonNode podSets() {
    return cluster.onlyWorkload().at("/spec/podSets");
  }

  @Test
  void asksForThePodsOfEachJobOfAJobSet() {
    addSet();

    assertThat(cluster.onlyWorkloadName()).startsWith("jobset-s-");
    assertThat(podSets())
        .extracting(it -> it.path("name").asText())
        .containsExactly("driver", "worker");
    assertThat(podSets()).extracting(it -> it.path("count").asInt()).containsExactly(1, 6);
    assertThat(podSets().at("/1/topologyRequest"))
        .isEqualTo(
            json(
                """
                {'podIndexLabel': 'batch.kubernetes.io/job-completion-index',
                 'subGroupIndexLabel': 'jobset.sigs.k8s.io/job-index', 'subGroupCount': 3}
                """));
  }

  @Test
  void startsAJobSetAndPutsItBackExactlyAsItWas() {
    addSet();
    JsonNode before = cluster.get(SET).path("spec");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(SET);
    JsonNode running = cluster.get(SET);

    assertThat(running.at("/spec/suspend").asBoolean()).isFalse();
    assertThat(
            running
                .at("/spec/replicatedJobs/1/template/spec/template/spec/nodeSelector/pool")
                .asText())
        .isEqualTo("p1");
    assertThat(running.at("/spec/replicatedJobs/0/template/spec/template/metadata/labels"))
        .isEqualTo(
            json(
                """
                {'a': 'b', 'kueue.x-k8s.io/podset': 'driver',
                 'kueue.x-k8s.io/local-queue-name': 'lq', 'kueue.x-k8s.io/cluster-queue-name': 'cq'}
                """));

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(SET);

    assertThat(cluster.get(SET).path("spec")).isEqualTo(before);
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started", "Stopped");
  }

  @Test
  void keepsWhatItsUserCorrectedWhenTheWorkloadOfAJobThatWaitsIsDeleted() {
    addSet();
    String first = cluster.onlyWorkload().at("/metadata/uid").asText();
    cluster.change(SET, TemplatedJobTest::correct);
    JsonNode corrected = cluster.get(SET).path("spec");

    deleteWorkload();

    assertThat(cluster.get(SET).path("spec")).isEqualTo(corrected);
    assertThat(cluster.onlyWorkload().at("/metadata/uid").asText()).isNotEqualTo(first);
    assertThat(podSets().at("/0/template/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "CreatedWorkload");
  }

  @Test
  void putsAJobThatRunsBackWhenItsWorkloadIsDeleted() {
    addSet();
    JsonNode before = cluster.get(SET).path("spec");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(SET);

    deleteWorkload();

    assertThat(cluster.get(SET).path("spec")).isEqualTo(before);
    assertThat(cluster.eventReasons())
        .containsExactly("CreatedWorkload", "Started", "Stopped", "CreatedWorkload");
  }

  private static void correct(ObjectNode set) {
    set.withObject("/spec/replicatedJobs/0/template/spec/template/spec/nodeSelector")
        .put("disk", "ssd");
  }

  private void deleteWorkload() {
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));
    cluster.settle(SET);
  }

  @Test
  void followsTheStatusThatAJobSetReportsOfItsJobs() {
    addSet();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(SET);
    cluster.change(
        SET,
        it ->
            it.withObject("/status")
                .putArray("replicatedJobsStatus")
                .add(json("{'name': 'Driver', 'ready': 1, 'active': 1}"))
                .add(json("{'name': 'worker', 'ready': 1, 'succeeded': 2, 'active': 1}")));
    cluster.settle(SET);

    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isTrue();
    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods").toString())
        .isEqualTo("[{\"name\":\"worker\",\"count\":4}]");

    cluster.change(
        SET, it -> Admissions.condition(it, "Completed", true, "AllJobsCompleted", "all"));
    cluster.settle(SET);
    JsonNode finished = Conditions.find(cluster.onlyWorkload(), "Finished").orElseThrow();
    assertThat(finished.path("reason").asText() + ": " + finished.path("message").asText())
        .isEqualTo("Succeeded: all");
  }

  @Test
  void letsTheJobsOfAJobSetRunOnlyWhileItIsAdmitted() {
    addSet();
    ObjectNode child = json(Jobs.job("j", 1, 1));
    child.withObject("/metadata").remove("labels");
    child.withObject("/spec").put("suspend", false);
    child.withObject("/metadata").putArray("ownerReferences").add(setAsOwner());
    cluster.add(child.toString());

    cluster.settle(Jobs.KEY);

    assertThat(cluster.get(Jobs.KEY).at("/spec/suspend").asBoolean()).isTrue();
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void leavesAJobOfAJobSetToItsControllerThatKeepsItSuspended() {
    addSet();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(SET);
    ObjectNode child = json(Jobs.job("j", 1, 1));
    child.withObject("/metadata").putArray("ownerReferences").add(setAsOwner());
    cluster.add(child.toString());

    assertThat(cluster.plan(Jobs.KEY).writes()).isEmpty();
  }

  private ObjectNode setAsOwner() {
    ObjectNode owner =
        json(
            "{'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet', 'name': 's',"
                + " 'controller': true}");
    owner.set("uid", cluster.get(SET).at("/metadata/uid"));
    return owner;
  }

  @Test
  void holdsAChildBackBySwitchOfItsKindAndSaysSoOnce() {
    addSet();
    ObjectNode child =
        json(
            """
            {'apiVersion': 'example.com/v1', 'kind': 'Run',
             'metadata': {'name': 'r', 'namespace': 'ns'},
             'spec': {'paused': false, 'roles': {'Main': {'template': %s}}}}
            """
                .formatted(TEMPLATE));
    child.withObject("/metadata").putArray("ownerReferences").add(setAsOwner());
    cluster.add(child.toString());

    cluster.settle(RUN);

    assertThat(cluster.get(RUN).at("/spec/paused").asBoolean()).isTrue();
    assertThat(cluster.get(RUN).path("spec").has("suspend")).isFalse();
    assertThat(cluster.eventMessages())
        .containsOnlyOnce("Suspended: Kueue managed child job suspended");
  }

  @Test
  void queuesAKindThatAConfigurationDescribes() {
    addRun();
    JsonNode before = cluster.get(RUN).path("spec");
    assertThat(cluster.onlyWorkloadName()).startsWith("run-r-");
    assertThat(podSets())
        .extracting(it -> it.path("name").asText())
        .containsExactly("main", "helper");
    assertThat(podSets()).extracting(it -> it.path("count").asInt()).containsExactly(1, 2);

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(RUN);
    assertThat(cluster.get(RUN).at("/spec/paused").asBoolean()).isFalse();
    assertThat(cluster.get(RUN).at("/spec/roles/Main/template/spec/nodeSelector/pool").asText())
        .isEqualTo("p1");

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(RUN);
    assertThat(cluster.get(RUN).path("spec")).isEqualTo(before);
  }

  @Test
  void watchesTheKindsThatAreOn() {
    assertThat(cluster.planner().kinds())
        .containsExactly(Framework.JOB.type(), Framework.JOB_SET.type(), CUSTOM);
  }
}
