package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainJobTest {
  private static final String GROUP = "trainer.kubeflow.org";
  private static final JobKey KEY = JobKey.of(new GroupKind(GROUP, "TrainJob"), "ns", "t");
  private static final GroupKind CLUSTER_RUNTIMES = new GroupKind(GROUP, "ClusterTrainingRuntime");
  private static final JobKey RUNTIME = JobKey.of(CLUSTER_RUNTIMES, "", "torch");
  private static final JobKey CHILD = JobKey.of(Framework.JOB_SET.type().groupKind(), "ns", "t");

  private static final String NODE =
      """
      {'name': 'node', 'template': {
        'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer'}},
        'spec': {'template': {
          'metadata': {'labels': {'a': 'b'}},
          'spec': {'tolerations': [{'key': 'own', 'operator': 'Exists'}],
            'containers': [{'name': 'node', 'image': 'torch',
              'env': [{'name': 'A', 'value': '1'}], 'resources': {'requests': {'cpu': '1'}}}]}}}}}
      """;

  private static final String DATASET =
      """
      {'name': 'dataset-initializer', 'replicas': 3, 'template': {
        'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': 'dataset-initializer'}},
        'spec': {'template': {'spec': {
          'containers': [{'name': 'dataset-initializer', 'image': 'get'}]}}}}}
      """;

  private final TestCluster cluster =
      new TestCluster(Jobs.settings(List.of(Framework.JOB_SET, Framework.TRAIN_JOB), false));

  private void addRuntime(String policy, String... jobs) {
    cluster.add(
        """
        {'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'ClusterTrainingRuntime',
         'metadata': {'name': 'torch'},
         'spec': {'mlPolicy': %s, 'template': {'spec': {'replicatedJobs': [%s]}}}}
        """
            .formatted(policy, String.join(",", jobs)));
  }

  private void addJob(String more) {
    cluster.add(Jobs.FLAVOR);
    cluster.add(
        """
        {'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob',
         'metadata': {'name': 't', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'suspend': true, 'runtimeRef': {'name': 'torch'},
           'runtimePatches': [{'manager': 'kueue.x-k8s.io/manager',
             'trainingRuntimeSpec': {'template': {'spec': {}}}}]%s}}
        """
            .formatted(more));
    cluster.settle(KEY);
  }

  private void addBoth() {
    addRuntime("{'numNodes': 2}", NODE);
    addJob("");
  }

  private JsonNode job() {
    return cluster.get(KEY);
  }

  private JsonNode podSets() {
    return cluster.onlyWorkload().at("/spec/podSets");
  }

  private JsonNode container() {
    return podSets().at("/0/template/spec/containers/0");
  }

  private void admit() {
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
  }

  private void run() {
    addBoth();
    admit();
    addChild(false);
    tell("{'name': 'node', 'ready': 1, 'succeeded': 0, 'active': 1}");
  }

  /** The JobSet as the trainer makes it. */
  private void addChild(boolean suspended) {
    ObjectNode child =
        json(
            """
            {'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet',
             'metadata': {'name': 't', 'namespace': 'ns', 'ownerReferences': [{
               'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob', 'name': 't',
               'controller': true}]},
             'spec': {'suspend': %s, 'replicatedJobs': [%s]}}
            """
                .formatted(suspended, NODE));
    child
        .withObject("/metadata/ownerReferences/0")
        .set("uid", cluster.get(KEY).at("/metadata/uid"));
    cluster.add(child.toString());
  }

  private void suspendChild() {
    cluster.change(CHILD, it -> it.withObject("/spec").put("suspend", true));
    cluster.settle(KEY);
  }

  private void tell(String status) {
    cluster.change(KEY, it -> it.withObject("/status").putArray("jobsStatus").add(json(status)));
    cluster.settle(KEY);
  }

  private void evict() {
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "numNodes of the runtime    | {'numNodes': 2}                 | ''              | 2",
        "numNodes of the TrainJob   | {'numNodes': 2}                 | {'numNodes': 5} | 5",
        "a policy without numNodes  | {}                              | ''              | 1",
        "no policy: its parallelism | null                            | ''              | 1",
        "no policy, but a TrainJob  | null                            | {'numNodes': 4} | 4",
        "MPI: the Job node          | {'mpi': {}}                     | {'numNodes': 4} | 4",
        "MPI: the launcher is one   | {'mpi': {'runLauncherAsNode': true}} | {'numNodes': 4} | 3",
        "MPI: the launcher alone    | {'mpi': {'runLauncherAsNode': true}} | {'numNodes': 1} | 1",
      })
  void countsTheNodesOfTheTrainer(String why, String policy, String trainer, int pods) {
    addRuntime(policy, NODE);
    addJob(trainer.isEmpty() ? "" : ", 'trainer': " + trainer);

    assertThat(podSets().at("/0/count").asInt()).as(why).isEqualTo(pods);
  }

  @Test
  void asksForThePodsOfTheJobSetThatTheTrainerMakes() {
    addRuntime("{'numNodes': 2}", DATASET, NODE);
    addJob("");

    assertThat(cluster.onlyWorkloadName()).startsWith("trainjob-t-");
    assertThat(podSets())
        .extracting(it -> it.path("name").asText() + " " + it.path("count").asInt())
        .containsExactly("dataset-initializer 1", "node 2");
    assertThat(podSets().at("/1/topologyRequest"))
        .isEqualTo(
            json(
                """
                {'podIndexLabel': 'batch.kubernetes.io/job-completion-index',
                 'subGroupIndexLabel': 'jobset.sigs.k8s.io/job-index', 'subGroupCount': 1}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'image': 'own'                              | image     | 'own'",
        "'command': ['c']                            | command   | ['c']",
        "'args': ['a']                               | args      | ['a']",
        "'resourcesPerNode': {'limits': {'gpu': 1}}  | resources | {'limits': {'gpu': 1}}",
        "'resourcesPerNode': {}                      | resources | {'requests': {'cpu': '1'}}",
        "'env': [{'name': 'A', 'value': '2'}]        | env       | [{'name': 'A', 'value': '2'}]",
        "'env': [{'name': 'B'}]  | env | [{'name': 'A', 'value': '1'}, {'name': 'B'}]",
      })
  void usesTheTrainerOfTheTrainJob(String trainer, String member, String expected) {
    addRuntime("{}", NODE);
    addJob(", 'trainer': {" + trainer + "}");

    assertThat(container().path(member)).isEqualTo(json("{'it': " + expected + "}").path("it"));
  }

  @Test
  void usesTheInitializersOfTheTrainJob() {
    addRuntime("{}", DATASET, NODE);
    addJob(
        ", 'initializer': {'dataset': {'storageUri': 'hf://d', 'env': [{'name': 'B', 'value':"
            + " 'c'}], 'secretRef': {'name': 's'}}}");

    assertThat(container().path("env").toString())
        .isEqualTo(
            "[{\"name\":\"STORAGE_URI\",\"value\":\"hf://d\"},{\"name\":\"B\",\"value\":\"c\"}]");
    assertThat(container().at("/envFrom/0/secretRef/name").asText()).isEqualTo("s");
  }

  @Test
  void takesThePatchesOfOthersAndNotItsOwn() {
    addRuntime("{}", NODE);
    String patch =
        """
        {'manager': '%s', 'trainingRuntimeSpec': {'template': {'spec': {'replicatedJobs': [
          {'name': 'node', 'template': {'spec': {'template': {
            'metadata': {'labels': {'%s': 'x'}},
            'spec': {'nodeSelector': {'disk': 'ssd'}, 'tolerations': [{'key': 'theirs'}],
              'containers': [{'name': 'node', 'env': [{'name': 'C', 'value': 'd'}]}]}}}}},
          {'name': 'unknown', 'template': {}}]}}}}
        """;
    cluster.add(Jobs.FLAVOR);
    cluster.add(
        """
        {'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob',
         'metadata': {'name': 't', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'suspend': true, 'runtimeRef': {'name': 'torch'}, 'runtimePatches': [%s, %s]}}
        """
            .formatted(
                patch.formatted("example.com/user", "user"),
                patch.formatted("kueue.x-k8s.io/manager", "ours")));
    cluster.settle(KEY);

    JsonNode template = podSets().at("/0/template");
    assertThat(template.at("/metadata/labels")).isEqualTo(json("{'a': 'b', 'user': 'x'}"));
    assertThat(template.at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
    assertThat(template.at("/spec/tolerations").toString()).isEqualTo("[{\"key\":\"theirs\"}]");
    assertThat(container().path("env")).hasSize(2);
    assertThat(container().path("image").asText()).isEqualTo("torch");
  }

  @Test
  void writesTheDecisionWhileItIsSuspendedAndResumesItThen() {
    addBoth();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    assertThat(cluster.sendOne(KEY)).isTrue();

    assertThat(job().at("/spec/suspend").asBoolean()).isTrue();
    assertThat(job().at("/spec/runtimePatches/0/trainingRuntimeSpec/template/spec"))
        .isEqualTo(
            json(
                """
                {'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {
                  'metadata': {
                    'labels': {'kueue.x-k8s.io/podset': 'node',
                      'kueue.x-k8s.io/local-queue-name': 'lq',
                      'kueue.x-k8s.io/cluster-queue-name': 'cq'},
                    'annotations': {'kueue.x-k8s.io/workload': '%s'}},
                  'spec': {'nodeSelector': {'pool': 'p1'}, 'tolerations': [
                    {'key': 'own', 'operator': 'Exists'},
                    {'key': 'spot', 'operator': 'Exists', 'effect': 'NoSchedule'}]}}}}}]}
                """
                    .formatted(cluster.onlyWorkloadName())));
    assertThat(cluster.eventReasons()).doesNotContain("Started");

    cluster.settle(KEY);
    assertThat(job().at("/spec/suspend").asBoolean()).isFalse();
    assertThat(cluster.eventMessages()).contains("Started: Admitted by clusterQueue cq");
  }

  @Test
  void endsWithASentenceIfTheDecisionContradictsTheRuntime() {
    addRuntime(
        "{}", NODE.replace("'tolerations'", "'nodeSelector': {'pool': 'other'}, 'tolerations'"));
    addJob("");
    admit();

    JsonNode finished = Conditions.find(cluster.onlyWorkload(), "Finished").orElseThrow();
    assertThat(finished.path("reason").asText()).isEqualTo("FailedToStart");
    assertThat(finished.path("message").asText()).contains("nodeSelector[pool] is other already");
    assertThat(job().at("/spec/suspend").asBoolean()).isTrue();
  }

  @Test
  void stopsInTwoStepsAndEndsAsItWas() {
    addBoth();
    JsonNode before = job().path("spec");
    admit();
    addChild(false);
    tell("{'name': 'node', 'ready': 1, 'active': 1}");
    evict();

    assertThat(job().at("/spec/suspend").asBoolean()).isTrue();
    assertThat(job().at("/spec/runtimePatches/0").toString()).contains("pool");
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "QuotaReserved")).isTrue();

    tell("{'name': 'node', 'active': 0}");
    assertThat(job().at("/spec/runtimePatches/0").toString())
        .as("its JobSet is not suspended yet")
        .contains("pool");

    suspendChild();
    assertThat(job().path("spec")).isEqualTo(before);
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "QuotaReserved")).isFalse();
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started", "Stopped");
  }

  @Test
  void completesAStopThatWasBegunBeforeItWasAdmitted() {
    addBoth();
    JsonNode before = job().path("spec");
    admit();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          it.remove("status");
          Admissions.condition(it, "QuotaReserved", false, "Pending", "taken by somebody else");
        });
    cluster.settle(KEY);

    assertThat(job().path("spec")).isEqualTo(before);
  }

  @Test
  void waitsForItsRuntimeAndSaysSo() {
    addJob("");
    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.plan(KEY).again()).isPresent();

    addRuntime("{}", NODE);
    assertThat(
            cluster
                .planner()
                .touchedBy(cluster, CLUSTER_RUNTIMES, (ObjectNode) cluster.get(RUNTIME)))
        .containsExactly(KEY);
    cluster.settle(KEY);
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void reportsThatItsRuntimeIsMissing() {
    addJob("");
    var planner = new JobPlanner(Jobs.settings(List.of(Framework.TRAIN_JOB), false));

    assertThat(planner.plan(cluster, KEY, cluster.now()).writes().toString())
        .contains("ClusterTrainingRuntime torch is not found; the job waits for it");
  }

  @Test
  void followsItsRuntimeWhileItWaitsAndNotWhileItRuns() {
    addBoth();
    cluster.change(RUNTIME, it -> it.withObject("/spec/mlPolicy").put("numNodes", 3));
    cluster.settle(KEY);
    assertThat(podSets().at("/0/count").asInt()).isEqualTo(3);

    admit();
    cluster.change(RUNTIME, it -> it.withObject("/spec/mlPolicy").put("numNodes", 4));
    cluster.settle(KEY);
    assertThat(job().at("/spec/suspend").asBoolean()).isFalse();
    assertThat(podSets().at("/0/count").asInt()).isEqualTo(3);

    cluster.delete(RUNTIME);
    cluster.settle(KEY);
    assertThat(job().at("/spec/suspend").asBoolean()).isFalse();
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void readsARuntimeOfItsNamespace() {
    cluster.add(
        """
        {'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainingRuntime',
         'metadata': {'name': 'torch', 'namespace': 'ns'},
         'spec': {'template': {'spec': {'replicatedJobs': [%s]}}}}
        """
            .formatted(NODE));
    addJob("");
    assertThat(cluster.workloads()).isEmpty();

    cluster.change(KEY, it -> it.withObject("/spec/runtimeRef").put("kind", "TrainingRuntime"));
    cluster.settle(KEY);
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void isReadyWhenAllItsJobsAre() {
    run();
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isTrue();

    tell("{'name': 'node', 'ready': 0, 'succeeded': 0, 'active': 1}");
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isFalse();
  }

  @Test
  void releasesThePodsOfSucceededJobs() {
    addRuntime("{'numNodes': 2}", DATASET, NODE);
    addJob("");
    admit();
    tell("{'name': 'dataset-initializer', 'succeeded': 1}");

    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods").toString())
        .isEqualTo("[{\"name\":\"dataset-initializer\",\"count\":1}]");
  }

  @ParameterizedTest
  @CsvSource({"Complete, Succeeded", "Failed, Failed"})
  void endsAsTheTrainerSays(String condition, String reason) {
    run();
    cluster.change(KEY, it -> Admissions.condition(it, condition, true, "R", "its own words"));
    cluster.settle(KEY);

    JsonNode finished = Conditions.find(cluster.onlyWorkload(), "Finished").orElseThrow();
    assertThat(finished.path("reason").asText() + ": " + finished.path("message").asText())
        .isEqualTo(reason + ": its own words");
  }

  @Test
  void letsItsJobSetRunOnlyWhileItIsAdmittedAndNeverQueuesIt() {
    addBoth();
    addChild(false);
    cluster.settle(CHILD);

    assertThat(cluster.get(CHILD).at("/spec/suspend").asBoolean()).isTrue();
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void looksAtATrainJobWhenItsJobSetChanges() {
    addBoth();
    addChild(false);
    Set<JobKey> touched =
        cluster.planner().touchedBy(cluster, CHILD.kind(), (ObjectNode) cluster.get(CHILD));

    assertThat(touched).containsExactlyInAnyOrder(KEY, CHILD);
  }

  @Test
  void watchesWhatItReads() {
    assertThat(cluster.planner().watched())
        .extracting(it -> it.kind())
        .contains("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "JobSet");
  }

  @Test
  void gathersChangesOfItsJobSetBeforeItIsPlanned() {
    JobPlanner planner = cluster.planner();
    GroupKind jobSets = new GroupKind("jobset.x-k8s.io", "JobSet");
    ObjectChange change = Admissions.admission();

    assertThat(planner.gathering(jobSets, change, KEY)).isPositive();
    assertThat(planner.gathering(WorkloadView.KIND, change, KEY)).as("admitted").isZero();
    assertThat(planner.gathering(KEY.kind(), change, KEY)).as("of itself").isZero();
  }
}
