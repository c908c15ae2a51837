package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Jobs get a Workload, and which one. */
class BatchJobTest {
  private final TestCluster cluster = Jobs.cluster();
  private final OneJob one = new OneJob(cluster);

  @Test
  void createsOneWorkloadThatRequestsWhatTheJobRuns() {
    cluster.add(Jobs.job("j", 2, 4));

    cluster.settle(KEY);

    String uid = one.job().path("metadata").path("uid").asText();
    JsonNode workload = cluster.onlyWorkload();
    assertThat(cluster.onlyWorkloadName()).matches("job-j-[0-9a-f]{5}");
    assertThat(workload.path("metadata").path("labels"))
        .isEqualTo(json("{'kueue.x-k8s.io/job-uid': '" + uid + "'}"));
    assertThat(workload.path("metadata").path("finalizers").toString())
        .isEqualTo("[\"kueue.x-k8s.io/resource-in-use\"]");
    assertThat(workload.path("metadata").path("ownerReferences").path(0))
        .isEqualTo(
            json(
                """
                {'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'j', 'uid': '%s',
                 'controller': true, 'blockOwnerDeletion': true}
                """
                    .formatted(uid)));
    assertThat(workload.path("spec"))
        .isEqualTo(
            json(
                """
                {'podSets': [{'name': 'main', 'count': 2,
                   'template': {
                     'metadata': {'annotations': {'note': 'n'},
                       'labels': {'batch.kubernetes.io/job-name': 'j', 'app': 'a'}},
                     'spec': {'restartPolicy': 'Never', 'nodeSelector': {'disk': 'ssd'},
                       'containers': [
                         {'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '1'}}}]}},
                   'topologyRequest': {'podIndexLabel': 'batch.kubernetes.io/job-completion-index'}}],
                 'queueName': 'lq', 'priority': 0}
                """));
    assertThat(cluster.eventMessages())
        .containsExactly("CreatedWorkload: Created Workload: ns/" + cluster.onlyWorkloadName());
  }

  @Test
  void takesThePriorityOfTheClassThatTheJobNames() {
    cluster.add(
        "{'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'WorkloadPriorityClass', 'metadata':"
            + " {'name': 'high'}, 'value': 100}");
    cluster.add(
        Jobs.job("j", 1, 1)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/priority-class': 'high', 'team': 'red'"));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/spec/priority").asInt()).isEqualTo(100);
    assertThat(cluster.onlyWorkload().at("/spec/priorityClassRef"))
        .isEqualTo(
            json("{'group': 'kueue.x-k8s.io', 'kind': 'WorkloadPriorityClass', 'name': 'high'}"));
    assertThat(cluster.onlyWorkload().at("/metadata/labels/team").asText()).isEqualTo("red");
  }

  @Test
  void copiesLabelsForMetricsAndFollowsThem() {
    TestCluster measured =
        Jobs.cluster(
            new CustomLabel("area", "Workload", "area", false, List.of("x")),
            new CustomLabel("cost", "Workload", "cost", true, List.of("y")));
    measured.add(Jobs.job("j", 1, 1).replace("'lq'", "'lq', 'area': 'x'"));
    measured.settle(KEY);
    JsonNode metadata = measured.onlyWorkload().path("metadata");
    assertThat(metadata.path("labels").path("area").asText()).isEqualTo("x");
    assertThat(metadata.path("annotations").has("cost")).isFalse();

    measured.change(
        KEY,
        job -> {
          job.withObject("/metadata/labels").remove("area");
          job.withObject("/metadata/annotations").put("cost", "y");
        });
    measured.settle(KEY);

    metadata = measured.onlyWorkload().path("metadata");
    assertThat(metadata.path("labels").has("area")).isFalse();
    assertThat(metadata.path("annotations").path("cost").asText()).isEqualTo("y");
  }

  @Test
  void createsNoWorkloadWithoutThePriorityClassAndReportsThatOnce() {
    cluster.add(
        Jobs.job("j", 1, 1).replace("'lq'", "'lq', 'kueue.x-k8s.io/priority-class': 'high'"));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly("WorkloadPriorityClassNotFound: WorkloadPriorityClass high is not found");
    assertThat(cluster.plan(KEY).again()).isPresent();
  }

  @Test
  void looksAgainForAClassThatAWaitingJobNamesAndThatIsNotThere() {
    cluster.add(Jobs.job("j", 1, 1));
    cluster.settle(KEY);
    cluster.pass(Duration.ofMinutes(1));
    cluster.settle(KEY);
    assertThat(cluster.plan(KEY).again()).isEmpty();

    cluster.change(KEY, it -> it.withObject("/metadata/labels").put(Labels.PRIORITY_CLASS, "high"));
    cluster.settle(KEY);

    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(10));
  }

  @Test
  void saysOnceWhyAJobWhoseWorkloadLostItsOwnerGetsNoOther() {
    cluster.add(Jobs.job("j", 1, 1));
    cluster.settle(KEY);
    String name = cluster.onlyWorkloadName();
    cluster.changeWorkload(
        name,
        it -> {
          it.withObject("/metadata").remove("ownerReferences");
          Admissions.condition(it, "Finished", true, "OwnerNotFound", "m");
        });
    cluster.forgetEvents();

    cluster.settle(KEY);
    cluster.settle(KEY);

    assertThat(cluster.eventMessages())
        .containsExactly(
            "ErrWorkloadCompose: Workload ns/%s exists and is not of this job; delete it"
                .formatted(name));
    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(2));
  }

  @ParameterizedTest
  @CsvSource({"60, 60", "0, 0", "-5, 0", "soon, 0"})
  void limitsTheTimeThatAJobMayRun(String label, int seconds) {
    cluster.add(
        Jobs.job("j", 1, 1)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/max-exec-time-seconds': '" + label + "'"));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/spec/maximumExecutionTimeSeconds").asInt(0))
        .isEqualTo(seconds);
  }

  /** A Job of two Pods, and the Workload {@code mine} that somebody made for it. */
  private void addWithPrebuilt() {
    one.add(2, 2);
    ObjectNode prebuilt = cluster.onlyWorkload().deepCopy();
    prebuilt.putObject("metadata").put("name", "mine").put("namespace", "ns");
    cluster.delete(KEY);
    cluster.settle(KEY);
    cluster.add(prebuilt.toString());
    cluster.add(
        Jobs.job("j", 2, 2)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/prebuilt-workload-name': 'mine'"));
    cluster.settle(KEY);
  }

  @Test
  void takesOverAWorkloadThatWasMadeForTheJob() {
    addWithPrebuilt();

    JsonNode workload = cluster.workload("mine");
    assertThat(workload.at("/metadata/ownerReferences/0/uid"))
        .isEqualTo(one.job().at("/metadata/uid"));
    assertThat(workload.at("/metadata/labels").has("kueue.x-k8s.io/job-uid")).isTrue();

    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 1));
    cluster.settle(KEY);
    assertThat(
            Conditions.find(cluster.workload("mine"), "Finished")
                .orElseThrow()
                .path("reason")
                .asText())
        .isEqualTo("OutOfSync");
  }

  @Test
  void stopsAJobThatIsAnotherThanItsWorkloadWasMadeFor() {
    addWithPrebuilt();
    cluster.changeWorkload("mine", Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    assertThat(one.job().at("/spec/suspend").asBoolean()).isFalse();

    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 1));
    cluster.settle(KEY);

    assertThat(one.job().at("/spec/suspend").asBoolean()).as("it has no quota").isTrue();
    assertThat(cluster.workload("mine").path("metadata").path("finalizers")).isEmpty();
  }

  @Test
  void keepsTheLabelsOfTheJobControllerThatAPrebuiltWorkloadHasNot() {
    addWithPrebuilt();
    JsonNode labels = one.job().at("/spec/template/metadata/labels");
    cluster.changeWorkload(
        "mine",
        it -> {
          ((ObjectNode) it.at("/spec/podSets/0/template/metadata/labels"))
              .remove("batch.kubernetes.io/job-name");
          Admissions.admit(it);
        });
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.changeWorkload("mine", it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);

    assertThat(one.job().at("/spec/template/metadata/labels"))
        .as("the API server refuses a template without them")
        .isEqualTo(labels);
  }

  @Test
  void leavesTheGatesOfAPrebuiltWorkloadAsTheyAre() {
    addWithPrebuilt();
    cluster.changeWorkload(
        "mine",
        it ->
            it.withObject("/metadata/annotations")
                .put(Annotations.ADMISSION_GATED_BY, "example.com/x"));

    cluster.settle(KEY);

    assertThat(cluster.workload("mine").at("/metadata/annotations"))
        .anyMatch(it -> it.asText().equals("example.com/x"));
  }

  @ParameterizedTest(name = "prebuilt: {0}")
  @ValueSource(booleans = {true, false})
  void givesNoWorkloadAGateThatItsJobGotLater(boolean isPrebuilt) {
    if (isPrebuilt) {
      addWithPrebuilt();
    } else {
      one.add(2, 2);
    }
    cluster.change(
        KEY,
        it ->
            it.withObject("/metadata/annotations")
                .put(Annotations.ADMISSION_GATED_BY, "example.com/x"));
    String name = isPrebuilt ? "mine" : cluster.onlyWorkloadName();
    cluster.changeWorkload(name, Admissions::admit);

    cluster.settle(KEY);

    assertThat(cluster.workload(name).at("/metadata/annotations").toString())
        .doesNotContain("example.com/x");
    assertThat(one.job().at("/spec/suspend").asBoolean()).as("the API refuses it").isFalse();
  }

  @Test
  void tellsOnceThatAPrebuiltWorkloadIsFinished() {
    addWithPrebuilt();
    cluster.changeWorkload("mine", Admissions::admit);
    cluster.settle(KEY);
    cluster.changeWorkload(
        "mine", it -> Admissions.condition(it, "Finished", true, "Succeeded", "done"));
    cluster.changeWorkload("mine", it -> it.withObject("/metadata").remove("finalizers"));

    cluster.settle(KEY);
    cluster.change(KEY, it -> it.withObject("/metadata/labels").put("again", "planned"));
    cluster.settle(KEY);

    assertThat(cluster.eventReasons()).filteredOn("FinishedWorkload"::equals).hasSize(1);
  }

  @Test
  void completesAStopThatWasBegunAndStartsAJobThatIsAdmittedMeanwhile() {
    one.run(2, 2, 2);
    cluster.change(
        KEY,
        it -> {
          it.withObject("/spec").put("suspend", true);
          it.withObject("/metadata").withObject("/annotations").put(Annotations.STOPPING, "true");
          Jobs.control(it);
        });

    cluster.settle(KEY);

    assertThat(one.job().at("/metadata/annotations").has(Annotations.STOPPING)).isFalse();
    assertThat(one.job().at("/spec/suspend").asBoolean()).isFalse();
  }

  @Test
  void waitsForAPrebuiltWorkload() {
    cluster.add(
        Jobs.job("j", 2, 2)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/prebuilt-workload-name': 'mine'"));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.plan(KEY).again()).isPresent();
  }

  @Test
  void letsAJobThatAManagedJobMadeRunOnlyWhileThatOneIsAdmitted() {
    one.add(1, 1);
    String uid = one.job().path("metadata").path("uid").asText();
    ObjectNode child = json(Jobs.job("child", 1, 1));
    child.withObject("/metadata").remove("labels");
    child
        .withObject("/metadata")
        .putArray("ownerReferences")
        .add(
            json(
                "{'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'j', 'uid': '"
                    + uid
                    + "', 'controller': true}"));
    child.withObject("/spec").put("suspend", false);
    JobKey key = JobKey.of(Jobs.KIND, "ns", "child");
    cluster.add(child.toString());

    cluster.settle(key);

    assertThat(cluster.get(key).path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(cluster.eventMessages()).contains("Suspended: Kueue managed child job suspended");
    assertThat(cluster.workloads()).hasSize(1);
    assertThat(cluster.planner().touchedBy(cluster, WorkloadView.KIND, cluster.onlyWorkload()))
        .containsExactlyInAnyOrder(KEY, key);

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.change(key, it -> it.withObject("/spec").put("suspend", false));
    assertThat(cluster.plan(key)).isEqualTo(Plan.REST);
  }

  @Test
  void queuesAJobThatACronJobMadeForItself() {
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata")
        .putArray("ownerReferences")
        .add(
            json(
                "{'apiVersion': 'batch/v1', 'kind': 'CronJob', 'name': 'c', 'uid': 'x',"
                    + " 'controller': true}"));
    cluster.add(job.toString());

    cluster.settle(KEY);

    assertThat(cluster.workloads()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no queue", "kube-system"})
  void leavesAJobAloneThatIsNotManaged(String why) {
    ObjectNode job = json(Jobs.job("j", 1, 1));
    String namespace = why.equals("no queue") ? "ns" : why;
    job.withObject("/metadata").put("namespace", namespace);
    if (why.equals("no queue")) {
      job.withObject("/metadata").remove("labels");
    }
    cluster.add(job.toString());

    assertThat(cluster.plan(JobKey.of(Jobs.KIND, namespace, "j")).writes()).isEmpty();
  }

  @Test
  void managesJobsWithoutQueueWhereAllAre() {
    var all = new TestCluster(Jobs.settings(List.of(Framework.JOB), true));
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata").remove("labels");
    all.add(job.toString());

    all.settle(KEY);

    assertThat(all.onlyWorkload().path("spec").has("queueName")).isFalse();
  }

  @Test
  void reportsTheMessagesOfChecksThatAJobWaitsFor() {
    one.add(1, 1);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.reserve(it, 9);
          it.withObject("/status")
              .putArray("admissionChecks")
              .add(json("{'name': 'a', 'state': 'Pending', 'message': 'one'}"))
              .add(json("{'name': 'b', 'state': 'Ready', 'message': 'two'}"))
              .add(json("{'name': 'c', 'state': 'Pending', 'message': 'three'}"));
        });

    cluster.settle(KEY);

    assertThat(cluster.eventMessages()).contains("UpdatedAdmissionCheck: a: one; c: three");
  }

  @Test
  void namesEventsAfterTheFrameworkAndWritesAfterUs() {
    cluster.add(Jobs.job("j", 1, 1));

    List<Write> writes = cluster.plan(KEY).writes();

    assertThat(((Write.Create) writes.get(0)).fieldManager()).isEqualTo("kueue");
    assertThat(((Write.Event) writes.get(1)).reporter()).isEqualTo("batch/job-kueue-controller");
    assertThat(writes).hasSize(2);
  }
}
