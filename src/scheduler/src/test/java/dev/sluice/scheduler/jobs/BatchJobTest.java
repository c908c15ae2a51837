package dev.sluice.scheduler.jobs;

import static dev.sluice.scheduler.jobs.Jobs.KEY;
import static dev.sluice.scheduler.jobs.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.scheduler.write.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchJobTest {
  private final TestCluster cluster = Jobs.cluster();

  private void add(int parallelism, int completions) {
    cluster.add(Jobs.job("j", parallelism, completions));
    cluster.settle(KEY);
    cluster.pass(Duration.ofSeconds(2));
    cluster.settle(KEY);
  }

  /** A Job that was admitted, with its Pods running. */
  private void run(int parallelism, int completions, int granted) {
    add(parallelism, completions);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.admit(it, granted));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);
  }

  private JsonNode job() {
    return cluster.get(KEY);
  }

  private JsonNode condition(String type) {
    return Conditions.find(cluster.onlyWorkload(), type).orElseThrow();
  }

  @Test
  void givesAJobOneWorkloadThatAsksForWhatTheJobRuns() {
    cluster.add(Jobs.job("j", 2, 4));

    cluster.settle(KEY);

    String uid = job().path("metadata").path("uid").asText();
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
  void saysThatPodsAreNotReadyOnlyIfTheyAreNotReadySoon() {
    cluster.add(Jobs.job("j", 2, 4));
    cluster.settle(KEY);
    assertThat(Conditions.find(cluster.onlyWorkload(), "PodsReady")).isEmpty();
    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(2));

    cluster.pass(Duration.ofSeconds(2));
    cluster.settle(KEY);
    assertThat(condition("PodsReady").path("reason").asText()).isEqualTo("WaitForStart");
  }

  @Test
  void leavesAJobSuspendedThatHasQuotaButIsNotAdmitted() {
    add(2, 4);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.reserve(it, 9));

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void startsAnAdmittedJobWithWhatItsFlavorSays() {
    run(2, 4, 9);

    JsonNode template = job().path("spec").path("template");
    assertThat(job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(template.path("spec").path("nodeSelector"))
        .isEqualTo(json("{'disk': 'ssd', 'pool': 'p1'}"));
    assertThat(template.path("spec").path("tolerations").path(0).path("key").asText())
        .isEqualTo("spot");
    assertThat(template.path("metadata").path("labels"))
        .isEqualTo(
            json(
                """
                {'batch.kubernetes.io/controller-uid': 'u', 'batch.kubernetes.io/job-name': 'j',
                 'controller-uid': 'u', 'job-name': 'j', 'app': 'a',
                 'kueue.x-k8s.io/podset': 'main', 'kueue.x-k8s.io/local-queue-name': 'lq',
                 'kueue.x-k8s.io/cluster-queue-name': 'cq'}
                """));
    assertThat(template.path("metadata").path("annotations"))
        .isEqualTo(
            json("{'note': 'n', 'kueue.x-k8s.io/workload': '" + cluster.onlyWorkloadName() + "'}"));
    assertThat(job().path("spec").path("parallelism").asInt()).isEqualTo(2);
    assertThat(cluster.eventMessages()).contains("Started: Admitted by clusterQueue cq");
    assertThat(condition("PodsReady").path("reason").asText()).isEqualTo("Started");
  }

  @Test
  void addsWhatAdmissionChecksSayAndHoldsPodsForATopology() {
    add(2, 2);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.admit(it);
          it.withObject("/status")
              .set(
                  "admissionChecks",
                  json("""
                  {'l': [{'name': 'ac', 'state': 'Ready', 'podSetUpdates': [{'name': 'main',
                    'labels': {'zone': 'z'}, 'annotations': {'why': 'w'}, 'nodeSelector': {'node': 'n'}}]}]}
                  """)
                      .path("l"));
          ((ObjectNode) it.at("/status/admission/podSetAssignments/0"))
              .putObject("topologyAssignment");
        });

    cluster.settle(KEY);

    JsonNode template = job().path("spec").path("template");
    assertThat(template.at("/metadata/labels/zone").asText()).isEqualTo("z");
    assertThat(template.at("/metadata/annotations/why").asText()).isEqualTo("w");
    assertThat(template.at("/spec/nodeSelector/node").asText()).isEqualTo("n");
    assertThat(template.at("/spec/schedulingGates/0/name").asText())
        .isEqualTo("kueue.x-k8s.io/topology");
    assertThat(
            template
                .path("metadata")
                .path("annotations")
                .has("kueue.x-k8s.io/podset-unconstrained-topology"))
        .isTrue();
  }

  @Test
  void givesUpAWorkloadWhoseJobContradictsItsFlavor() {
    cluster.add(Jobs.job("j", 1, 1).replace("'disk': 'ssd'", "'pool': 'p2'"));
    cluster.settle(KEY);
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);

    cluster.settle(KEY);

    assertThat(condition("Finished").path("reason").asText()).isEqualTo("FailedToStart");
    assertThat(condition("Finished").path("message").asText())
        .isEqualTo("Pod set main: nodeSelector[pool] is p2 already and cannot become p1");
    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
  }

  @Test
  void waitsForAFlavorThatIsNotSeenYet() {
    add(1, 1);
    cluster.delete(JobKey.of(new GroupKind("kueue.x-k8s.io", "ResourceFlavor"), "", "rf"));
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);

    Plan plan = cluster.plan(KEY);

    assertThat(plan.writes()).isEmpty();
    assertThat(plan.again()).contains(cluster.now().plusSeconds(2));
  }

  @Test
  void stopsAJobThatSomebodyLetRunBeforeItWasAdmitted() {
    add(2, 2);
    cluster.forgetEvents();
    cluster.change(KEY, it -> it.withObject("/spec").put("suspend", false));
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);

    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(
            job().path("metadata").has("annotations")
                && job().at("/metadata/annotations").has("kueue.x-k8s.io/stopping"))
        .isFalse();
    assertThat(job().path("status").has("startTime")).isFalse();
    assertThat(cluster.eventMessages()).containsExactly("Stopped: Not admitted by cluster queue");
  }

  @Test
  void startsAgainAnAdmittedJobThatSomebodySuspended() {
    run(2, 2, 9);
    cluster.change(KEY, it -> it.withObject("/spec").put("suspend", true));
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(condition("PodsReady").path("reason").asText()).isEqualTo("Recovered");
  }

  @Test
  void putsBackAnEvictedJobExactlyAsItWas() {
    add(2, 4);
    JsonNode before = job().path("spec");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(job().path("spec")).as("its Pods are still there").isNotEqualTo(before);

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(job().path("spec")).isEqualTo(before);
    assertThat(
            job().path("metadata").has("annotations")
                && !job().at("/metadata/annotations").isEmpty())
        .isFalse();
    assertThat(cluster.eventMessages()).contains("Stopped: m");
  }

  @Test
  void holdsQuotaUntilNoPodOfAnEvictedJobRuns() {
    run(2, 2, 9);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.change(KEY, Jobs::control);
    cluster.pass(Duration.ofSeconds(5)); // it was admitted two seconds before
    cluster.settle(KEY);

    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(condition("QuotaReserved").path("reason").asText()).isEqualTo("PendingEvaluation");
    assertThat(condition("Admitted").path("reason").asText()).isEqualTo("NoReservation");
    assertThat(cluster.onlyWorkload().path("status").has("admission")).isFalse();
    assertThat(
            cluster
                .onlyWorkload()
                .path("status")
                .path("accumulatedPastExecutionTimeSeconds")
                .asInt())
        .isEqualTo(7);
  }

  @Test
  void holdsQuotaUntilTheJobControllerHasSeenThatAnEvictedJobIsSuspended() {
    add(1, 1);
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, job -> Jobs.say(job, "Suspended", "False")); // its Pod is being made
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(job().at("/status/startTime").isTextual()).isTrue();
    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.change(KEY, job -> Jobs.say(job, "Suspended", "True"));
    cluster.settle(KEY);

    assertThat(job().at("/status/startTime").isTextual()).isFalse();
    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("False");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SuccessCriteriaMet", "FailureTarget"})
  void letsAnEvictedJobEndThatIsAboutTo(String said) {
    run(1, 1, 9);
    cluster.change(
        KEY,
        job -> {
          Jobs.say(job, said, "True");
          job.withObject("/status").put("active", 0);
        });
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("True");
  }

  @ParameterizedTest
  @CsvSource({
    "Preempted, True",
    "NodeFailures, True",
    "PodsReadyTimeout, False",
    "AdmissionCheck, False",
    "ClusterQueueStopped, False",
    "Deactivated, False",
    "DeactivatedDueToAdmissionCheck, False"
  })
  void saysWhetherAnEvictedWorkloadMayBeTriedAgainAtOnce(String reason, String requeued) {
    run(1, 1, 9);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.evict(it, reason, "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);

    assertThat(condition("Requeued").path("status").asText()).isEqualTo(requeued);
    assertThat(condition("Requeued").path("reason").asText()).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runsAJobWithFewerPodsAndPutsTheirNumberBack(boolean withCompletions) {
    ObjectNode job = json(Jobs.job("j", 6, 6));
    ObjectNode annotations =
        job.withObject("/metadata/annotations").put("kueue.x-k8s.io/job-min-parallelism", "3");
    if (withCompletions) {
      annotations.put("kueue.x-k8s.io/job-completions-equal-parallelism", "true");
    }
    cluster.add(job.toString());
    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/minCount").asInt()).isEqualTo(3);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.admit(it, 4));

    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(job().at("/spec/parallelism").asInt()).isEqualTo(4);
    assertThat(job().at("/spec/completions").asInt()).isEqualTo(withCompletions ? 4 : 6);
    assertThat(condition("PodsReady").path("status").asText()).isEqualTo("True");

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "ClusterQueueStopped", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(job().at("/spec/parallelism").asInt()).isEqualTo(6);
    assertThat(job().at("/spec/completions").asInt()).isEqualTo(6);
  }

  @Test
  void freesQuotaBySayingFinishedAndLetsTheWorkloadGoOnlyThen() {
    run(2, 4, 9);
    cluster.forgetEvents();
    cluster.change(KEY, Jobs::complete);

    Plan first = cluster.plan(KEY);
    first.writes().forEach(cluster::send);
    assertThat(condition("Finished").path("reason").asText()).isEqualTo("Succeeded");
    assertThat(condition("Finished").path("message").asText()).isEqualTo("Reached expected number");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).hasSize(1);

    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly(
            "FinishedWorkload: Workload 'ns/"
                + cluster.onlyWorkloadName()
                + "' is declared finished");
  }

  @Test
  void tellsAFailedJobFromASuccessfulOne() {
    run(1, 1, 9);
    cluster.change(
        KEY, it -> Admissions.condition(it, "Failed", true, "BackoffLimitExceeded", "too often"));

    cluster.settle(KEY);

    assertThat(condition("Finished").path("reason").asText()).isEqualTo("Failed");
    assertThat(condition("Finished").path("message").asText()).isEqualTo("too often");
  }

  @ParameterizedTest
  @CsvSource({
    // parallelism, completions, succeeded, expected
    "3, 9, 5, 0",
    "3, 9, 7, 1",
    "3, 9, 8, 2",
    "1, 9, 8, 0",
    "4, 4, 1, 1",
    "3, 9, 0, 0"
  })
  void givesBackWhatTheLastPodsOfAJobDoNotNeed(
      int parallelism, int completions, int succeeded, int expected) {
    run(parallelism, completions, 99);
    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", succeeded));

    cluster.settle(KEY);

    JsonNode reclaimable = cluster.onlyWorkload().path("status").path("reclaimablePods");
    assertThat(reclaimable.path(0).path("count").asInt(0)).isEqualTo(expected);
  }

  @Test
  void countsIndexesThatSucceededOrFailedOnce() {
    run(5, 10, 99);
    cluster.change(
        KEY,
        it -> {
          it.withObject("/spec").put("completionMode", "Indexed");
          it.withObject("/status")
              .put("completedIndexes", "0-4,6,oops")
              .put("failedIndexes", "4-5,99");
        });

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt()).isEqualTo(2);
  }

  @Test
  void neverTakesBackPodsThatItGaveBack() {
    run(4, 4, 99);
    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 3));
    cluster.settle(KEY);

    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 1));
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt()).isEqualTo(3);
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
  void givesNoWorkloadToAJobWhoseClassIsMissingAndSaysSoOnce() {
    cluster.add(
        Jobs.job("j", 1, 1).replace("'lq'", "'lq', 'kueue.x-k8s.io/priority-class': 'high'"));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly("WorkloadPriorityClassNotFound: WorkloadPriorityClass high is not found");
    assertThat(cluster.plan(KEY).again()).isPresent();
  }

  @Test
  void replacesTheWorkloadOfAJobThatWasChangedWhileItRan() {
    run(3, 3, 9);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.forgetEvents();
    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 1));

    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText())
        .as("keeps the quota of Pods that still run")
        .isEqualTo(uid);

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isNotEqualTo(uid);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(1);
    assertThat(job().at("/spec/parallelism").asInt()).isEqualTo(1);
    assertThat(job().at("/spec/template/spec/nodeSelector")).isEqualTo(json("{'disk': 'ssd'}"));
    String name = "ns/" + cluster.onlyWorkloadName();
    assertThat(cluster.eventMessages())
        .containsExactly(
            "Stopped: No matching Workload; restoring pod templates according to existent Workload",
            "DeletedWorkload: Deleted not matching Workload: " + name,
            "CreatedWorkload: Created Workload: " + name);
  }

  @Test
  void rewritesTheWorkloadOfAWaitingJobThatWasChanged() {
    add(3, 3);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> it.withObject("/spec").put("active", false));
    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 2));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isEqualTo(uid);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(cluster.onlyWorkload().at("/spec/active").asBoolean()).isFalse();
    assertThat(cluster.eventReasons()).contains("UpdatedWorkload");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodeSelector", "labels", "volumes"})
  void keepsTheWorkloadWhenWhatItDoesNotNeedToKnowChanges(String what) {
    add(3, 3);
    cluster.change(
        KEY,
        it -> {
          ObjectNode template = it.withObject("/spec/template");
          switch (what) {
            case "nodeSelector" -> template.withObject("/spec/nodeSelector").put("a", "b");
            case "labels" -> template.withObject("/metadata/labels").put("a", "b");
            default ->
                template.withObject("/spec").putArray("volumes").addObject().put("name", "v");
          }
        });

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void followsTheQueueOfAJobThatWaits() {
    add(1, 1);
    cluster.change(
        KEY, it -> it.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "other"));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/spec/queueName").asText()).isEqualTo("other");
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

  @Test
  void freesTheQuotaOfADeletedJobAtOnce() {
    run(2, 2, 9);
    cluster.change(
        KEY,
        it ->
            it.withObject("/metadata")
                .put("deletionTimestamp", "2026-11-21T12:00:00Z")
                .putArray("finalizers")
                .add("foregroundDeletion"));

    cluster.settle(KEY);

    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
  }

  @Test
  void endsTheWorkloadOfAJobThatIsGone() {
    run(2, 2, 9);
    cluster.delete(KEY);

    cluster.settle(KEY);

    assertThat(condition("Finished").path("message").asText())
        .isEqualTo("The workload's owner no longer exists");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
  }

  @Test
  void tellsAJobFromOneThatHadItsName() {
    run(2, 2, 9);
    String before = cluster.onlyWorkloadName();
    cluster.delete(KEY);
    cluster.add(Jobs.job("j", 2, 2));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).hasSize(2);
    assertThat(Conditions.isTrue(cluster.workload(before), "Finished")).isTrue();
    assertThat(cluster.workloads()).filteredOn(it -> !Conditions.isTrue(it, "Finished")).hasSize(1);
    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
  }

  @Test
  void stopsAJobWhoseWorkloadIsDeletedBeforeTheQuotaGoes() {
    run(2, 2, 9);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.delete(JobKey.of(WorkloadFacts.KIND, "ns", cluster.onlyWorkloadName()));

    cluster.settle(KEY);
    assertThat(job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isEqualTo(uid);
    assertThat(cluster.eventMessages()).contains("Stopped: Workload is deleted");

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isNotEqualTo(uid);
  }

  @Test
  void takesOverAWorkloadThatWasMadeForTheJob() {
    add(2, 2);
    ObjectNode prebuilt = cluster.onlyWorkload().deepCopy();
    ObjectNode metadata = prebuilt.putObject("metadata").put("name", "mine").put("namespace", "ns");
    cluster.delete(KEY);
    cluster.settle(KEY);
    cluster.add(prebuilt.toString());
    cluster.add(
        Jobs.job("j", 2, 2)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/prebuilt-workload-name': 'mine'"));

    cluster.settle(KEY);

    JsonNode workload = cluster.workload("mine");
    assertThat(metadata).isNotEmpty();
    assertThat(workload.at("/metadata/ownerReferences/0/uid")).isEqualTo(job().at("/metadata/uid"));
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
  void waitsForAWorkloadThatSomebodyElseMakes() {
    cluster.add(
        Jobs.job("j", 2, 2)
            .replace("'lq'", "'lq', 'kueue.x-k8s.io/prebuilt-workload-name': 'mine'"));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.plan(KEY).again()).isPresent();
  }

  @Test
  void letsAJobThatAManagedJobMadeRunOnlyWhileThatOneIsAdmitted() {
    add(1, 1);
    String uid = job().path("metadata").path("uid").asText();
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
    assertThat(cluster.planner().touchedBy(cluster, WorkloadFacts.KIND, cluster.onlyWorkload()))
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

    assertThat(cluster.plan(JobKey.of(Jobs.KIND, namespace, "j"))).isEqualTo(Plan.REST);
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
  void deletesAJobThatWasGivenUpOnceItWasKeptLongEnough() {
    add(1, 1);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          it.withObject("/spec").put("active", false);
          Admissions.evict(it, "DeactivatedDueToRequeuingLimitExceeded", "m");
        });

    assertThat(cluster.plan(KEY))
        .isEqualTo(new Plan(List.of(), Optional.of(cluster.now().plusSeconds(3598))));

    cluster.pass(Duration.ofHours(1));
    assertThat(cluster.plan(KEY).writes().getFirst()).isInstanceOf(Write.Delete.class);
  }

  @Test
  void tellsWhatChecksSayOfAJobThatWaitsForThem() {
    add(1, 1);
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
