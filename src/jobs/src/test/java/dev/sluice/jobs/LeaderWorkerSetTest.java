package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderWorkerSetTest {
  private static final JobKey KEY =
      JobKey.of(Framework.LEADER_WORKER_SET.type().groupKind(), "ns", "llm");
  private static final GroupKind SETS = Framework.STATEFUL_SET.type().groupKind();
  private static final String PARENT = "leaderworkerset.x-k8s.io/leaderworkerset";
  private static final String NAME = "leaderworkerset.sigs.k8s.io/name";
  private static final String INDEX = "kueue.x-k8s.io/component-workload-index";

  private static final String TEMPLATE =
      """
      {'metadata': {'labels': {'app': 'llm', 'leaderworkerset.sigs.k8s.io/other': 'x',
           'leaderworkerset.sigs.k8s.io/name': 'llm'},
         'annotations': {'leaderworkerset.sigs.k8s.io/size': '3',
           'kueue.x-k8s.io/pod-suspending-parent': 'leaderworkerset.x-k8s.io/leaderworkerset',
           'kueue.x-k8s.io/pod-group-serving': 'true'}},
       'spec': {'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '1'}}}]}}
      """;

  private final TestCluster cluster =
      new TestCluster(
          Jobs.settings(
              List.of(Framework.POD, Framework.STATEFUL_SET, Framework.LEADER_WORKER_SET), false));

  private void add(int replicas, boolean hasLeaderTemplate) {
    cluster.add(Jobs.FLAVOR);
    cluster.add(
        """
        {'apiVersion': 'leaderworkerset.x-k8s.io/v1', 'kind': 'LeaderWorkerSet',
         'metadata': {'name': 'llm', 'namespace': 'ns', 'labels': {
           'kueue.x-k8s.io/queue-name': 'lq', 'kueue.x-k8s.io/max-exec-time-seconds': '60'}},
         'spec': {'replicas': %d, 'leaderWorkerTemplate': {'size': 3, %s 'workerTemplate': %s}}}
        """
            .formatted(
                replicas,
                hasLeaderTemplate ? "'leaderTemplate': " + TEMPLATE + "," : "",
                TEMPLATE));
    settle();
  }

  private void settle() {
    cluster.settle(KEY);
    cluster.workloads().stream()
        .map(LeaderWorkerSetTest::name)
        .forEach(it -> cluster.settle(JobKey.group("ns", it)));
    cluster.settle(KEY);
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static JobKey set(String name) {
    return JobKey.of(SETS, "ns", name);
  }

  private void addSet(String name, String ownerKind, JobKey owner) {
    ObjectNode set =
        json(
            """
            {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
             'metadata': {'name': '%s', 'namespace': 'ns', 'labels': {'%s': 'llm'}},
             'spec': {'template': %s},
             'status': {'currentRevision': 'one', 'updateRevision': 'one'}}
            """
                .formatted(name, NAME, TEMPLATE));
    own(set, ownerKind, owner);
    cluster.add(set.toString());
  }

  private void own(ObjectNode object, String kind, JobKey owner) {
    object
        .withObject("/metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", kind)
        .put("name", owner.name())
        .put("controller", true)
        .set("uid", cluster.get(owner).at("/metadata/uid"));
  }

  /** A Pod as a StatefulSet and the webhook make it. */
  private void addPod(String name, String set, int group, int worker) {
    ObjectNode pod = TestPods.pod(name);
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.remove("finalizers");
    metadata
        .putObject("labels")
        .put(NAME, "llm")
        .put("leaderworkerset.sigs.k8s.io/group-index", Integer.toString(group))
        .put("leaderworkerset.sigs.k8s.io/worker-index", Integer.toString(worker))
        .put("controller-revision-hash", "one");
    metadata
        .withObject("/annotations")
        .put("kueue.x-k8s.io/pod-suspending-parent", PARENT)
        .put("kueue.x-k8s.io/pod-group-serving", "true");
    own(pod, "StatefulSet", set(set));
    cluster.add(pod.toString());
  }

  /** The leader of a replica. */
  private void addLeader(int group) {
    if (group == 0) {
      addSet("llm", "LeaderWorkerSet", KEY);
    }
    addPod("llm-" + group, "llm", group, 0);
    settle();
  }

  private void addWorkers(int group) {
    String name = "llm-" + group;
    addSet(name, "Pod", TestPods.key(name));
    addPod(name + "-1", name, group, 1);
    addPod(name + "-2", name, group, 2);
    settle();
  }

  private JsonNode pod(String name) {
    return cluster.get(TestPods.key(name));
  }

  private JsonNode workload(int index) {
    return cluster.workloads().stream()
        .filter(it -> JobObject.of(it).annotationText(INDEX).equals("" + index))
        .findFirst()
        .orElseThrow();
  }

  private void admit(int index) {
    cluster.changeWorkload(name(workload(index)), Admissions::admit);
    settle();
  }

  private List<Integer> indexes() {
    return cluster.workloads().stream()
        .map(it -> Integer.parseInt(JobObject.of(it).annotationText(INDEX)))
        .sorted()
        .toList();
  }

  private static List<String> podSets(JsonNode workload) {
    return StreamSupport.stream(workload.at("/spec/podSets").spliterator(), false)
        .map(it -> it.path("name").asText() + " " + it.path("count").asInt())
        .toList();
  }

  private void change(String pointer, String member, int value) {
    cluster.change(KEY, it -> it.withObject(pointer).put(member, value));
    settle();
  }

  @Test
  void givesEachReplicaAWorkload() {
    add(2, true);

    JsonNode workload = workload(1);
    String uid = cluster.get(KEY).at("/metadata/uid").asText();
    assertThat(indexes()).containsExactly(0, 1);
    assertThat(name(workload)).matches("leaderworkerset-llm-1-[0-9a-f]{5}");
    assertThat(workload.at("/metadata/annotations"))
        .isEqualTo(
            json(
                """
                {'kueue.x-k8s.io/is-group-workload': 'true',
                 'kueue.x-k8s.io/job-owner-gvk': 'leaderworkerset.x-k8s.io/v1, Kind=LeaderWorkerSet',
                 'kueue.x-k8s.io/job-owner-name': 'llm',
                 'kueue.x-k8s.io/component-workload-index': '1'}
                """));
    assertThat(workload.at("/metadata/ownerReferences/0"))
        .isEqualTo(
            json(
                "{'apiVersion': 'leaderworkerset.x-k8s.io/v1', 'kind': 'LeaderWorkerSet',"
                    + " 'name': 'llm', 'uid': '"
                    + uid
                    + "'}"));
    assertThat(workload.at("/metadata/labels/kueue.x-k8s.io~1job-uid").asText()).isEqualTo(uid);
    assertThat(workload.at("/spec/queueName").asText()).isEqualTo("lq");
    assertThat(workload.path("spec").has("maximumExecutionTimeSeconds")).isFalse();
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "CreatedWorkload");
  }

  @ParameterizedTest
  @CsvSource({"true, leader 1;worker 2", "false, main 3"})
  void asksForAGroup(boolean hasLeaderTemplate, String expected) {
    add(1, hasLeaderTemplate);

    assertThat(podSets(workload(0))).containsExactly(expected.split(";"));
  }

  @Test
  void numbersWorkersAndNotLeaders() {
    add(1, true);

    assertThat(workload(0).at("/spec/podSets/0").has("topologyRequest")).isFalse();
    assertThat(workload(0).at("/spec/podSets/1/topologyRequest"))
        .isEqualTo(json("{'podIndexLabel': 'leaderworkerset.sigs.k8s.io/worker-index'}"));
  }

  @Test
  void leavesOutWhatTheControllerWritesIntoEachPod() {
    add(1, false);

    assertThat(workload(0).at("/spec/podSets/0/template/metadata"))
        .isEqualTo(
            json(
                """
                {'labels': {'app': 'llm', 'leaderworkerset.sigs.k8s.io/name': 'llm'},
                 'annotations': {
                   'kueue.x-k8s.io/pod-suspending-parent': 'leaderworkerset.x-k8s.io/leaderworkerset',
                   'kueue.x-k8s.io/pod-group-serving': 'true'}}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "llm-0   | true  | leader",
        "llm-0-1 | true  | worker",
        "llm-0   | false | main",
        "llm-0-1 | false | main",
      })
  void setsTheGroupOnEachPod(String pod, boolean hasLeaderTemplate, String role) {
    add(1, hasLeaderTemplate);
    addLeader(0);
    addWorkers(0);

    String group = name(workload(0));
    JobObject metadata = JobObject.of(pod(pod));
    assertThat(metadata.labelText("kueue.x-k8s.io/managed")).isEqualTo("true");
    assertThat(metadata.queueName()).isEqualTo("lq");
    assertThat(metadata.metadata().child("annotations").node())
        .isEqualTo(
            json(
                """
                {'kueue.x-k8s.io/pod-group-name': '%s',
                 'kueue.x-k8s.io/prebuilt-workload-name': '%s',
                 'kueue.x-k8s.io/pod-group-serving': 'true',
                 'kueue.x-k8s.io/pod-group-total-count': '3',
                 'kueue.x-k8s.io/pod-suspending-parent': '%s',
                 'kueue.x-k8s.io/role-hash': '%s'}
                """
                    .formatted(group, group, PARENT, role)));
  }

  @Test
  void waitsForTheIndexOfAGroup() {
    add(1, true);
    addSet("llm", "LeaderWorkerSet", KEY);
    addPod("llm-0", "llm", 0, 0);
    cluster.change(
        TestPods.key("llm-0"),
        it -> it.withObject("/metadata/labels").remove("leaderworkerset.sigs.k8s.io/group-index"));
    settle();

    assertThat(JobObject.of(pod("llm-0")).labelText("kueue.x-k8s.io/managed")).isEmpty();
  }

  @Test
  void letsTheGroupsGoThatAreAdmittedAndNoOther() {
    add(2, true);
    addLeader(0);
    addWorkers(0);
    addLeader(1);
    addWorkers(1);
    admit(1);

    assertThat(Pods.isGated(pod("llm-0"))).isTrue();
    for (String name : List.of("llm-1", "llm-1-1", "llm-1-2")) {
      assertThat(Pods.isGated(pod(name))).as(name).isFalse();
      assertThat(pod(name).at("/spec/nodeSelector/pool").asText()).isEqualTo("p1");
      cluster.change(TestPods.key(name), TestPods::run);
    }
    settle();
    assertThat(Conditions.isTrue(workload(1), "PodsReady")).isTrue();
    assertThat(workload(1).at("/metadata/ownerReferences")).hasSize(4);
  }

  @Test
  void gathersChangesOfOthersBeforeItPlansASet() {
    JobPlanner planner = cluster.planner();
    ObjectChange change = Admissions.admission();

    assertThat(planner.gathering(JobKey.POD, change, KEY)).isPositive();
    assertThat(planner.gathering(SETS, change, KEY)).isPositive();
    assertThat(planner.gathering(WorkloadView.KIND, change, KEY)).isPositive();
    assertThat(planner.gathering(KEY.kind(), change, KEY)).as("its status").isPositive();
    assertThat(
            planner.gathering(KEY.kind(), new ObjectChange(Optional.empty(), change.after()), KEY))
        .as("a new one")
        .isZero();
  }

  @Test
  void startsALeaderWhoseWorkersComeWhenItIsReady() {
    add(1, true);
    addLeader(0);
    assertThat(Conditions.find(workload(0), "WaitingForReplacementPods"))
        .as("or it would never get quota")
        .isEmpty();

    admit(0);
    assertThat(Pods.isGated(pod("llm-0"))).isFalse();
    cluster.change(TestPods.key("llm-0"), TestPods::run);

    addWorkers(0);
    assertThat(Pods.isGated(pod("llm-0-2"))).isFalse();
  }

  @Test
  void addsThePodsOfAGroupAsOwnersByOneWriteOnceAllAreThere() {
    add(1, true);
    addLeader(0);
    assertThat(workload(0).at("/metadata/ownerReferences")).hasSize(1);

    addWorkers(0);

    assertThat(workload(0).at("/metadata/ownerReferences")).hasSize(4);
    assertThat(cluster.eventMessages())
        .contains("OwnerReferencesAdded: Added 3 owner reference(s)");
  }

  @Test
  void startsAPodThatComesAgain() {
    add(1, true);
    addLeader(0);
    addWorkers(0);
    admit(0);
    cluster.delete(TestPods.key("llm-0-2"));
    settle();

    addPod("llm-0-2", "llm-0", 0, 2);
    settle();
    assertThat(Pods.isGated(pod("llm-0-2"))).isFalse();
    assertThat(workload(0).at("/metadata/ownerReferences")).hasSize(4);
  }

  @Test
  void stopsAGroupThatIsEvictedAndWaitsForItsPods() {
    add(1, true);
    addLeader(0);
    addWorkers(0);
    admit(0);
    cluster.changeWorkload(name(workload(0)), it -> Admissions.evict(it, "Preempted", "m"));
    settle();

    assertThat(cluster.find(JobKey.POD, "ns", "llm-0")).isEmpty();
    assertThat(Conditions.isTrue(workload(0), "QuotaReserved")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"3, 0;1;2", "1, 0", "0, ''"})
  void followsTheNumberOfReplicas(int replicas, String expected) {
    add(2, true);
    change("/spec", "replicas", replicas);

    assertThat(String.join(";", indexes().stream().map(String::valueOf).toList()))
        .isEqualTo(expected);
  }

  @Test
  void keepsTheQuotaOfASurplusGroupWhileItRuns() {
    add(2, true);
    addLeader(0);
    addLeader(1);
    admit(1);
    cluster.change(TestPods.key("llm-1"), TestPods::run);
    change("/spec", "replicas", 1);
    assertThat(indexes()).containsExactly(0, 1);

    cluster.delete(TestPods.key("llm-1"));
    settle();
    assertThat(indexes()).containsExactly(0);
  }

  /** Its node is lost, so no event says that it has ended. */
  @Test
  void looksAgainWhenThePodOfASurplusGroupCountsAsEnded() {
    add(2, true);
    addLeader(0);
    addLeader(1);
    admit(1);
    cluster.change(TestPods.key("llm-1"), TestPods::run);
    change("/spec", "replicas", 1);
    assertThat(indexes()).containsExactly(0, 1);

    cluster.change(
        TestPods.key("llm-1"),
        it ->
            it.withObject("/metadata")
                .put("deletionTimestamp", "2026-11-21T12:00:30Z")
                .put("deletionGracePeriodSeconds", 30)
                .putArray("finalizers")
                .add("example.com/own"));

    assertThat(cluster.find(JobKey.POD, "ns", "llm-1")).isPresent();
    assertThat(cluster.plan(KEY).again()).contains(Instant.parse("2026-11-21T12:01:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'rollingUpdateConfiguration': {'maxSurge': 1}}                            | 3",
        "{'type': 'RollingUpdate', 'rollingUpdateConfiguration': {'maxSurge': '25%'}} | 3",
        "{'rollingUpdateConfiguration': {'maxSurge': 0}}                            | 2",
        "{'rollingUpdateConfiguration': {'maxSurge': '0%'}}                         | 2",
        "{}                                                                         | 2",
      },
      quoteCharacter = '"')
  void countsTheReplicasThatARollOutAdds(String strategy, int expected) {
    add(2, true);
    cluster.change(KEY, it -> it.withObject("/spec").set("rolloutStrategy", json(strategy)));
    change("/status", "replicas", 3);

    assertThat(indexes()).hasSize(expected);
  }

  @Test
  void asksForAnotherSizeOnceNothingOfTheGroupRuns() {
    add(1, true);
    addLeader(0);
    change("/spec/leaderWorkerTemplate", "size", 4);
    assertThat(podSets(workload(0))).containsExactly("leader 1", "worker 3");

    admit(0);
    cluster.change(TestPods.key("llm-0"), TestPods::run);
    change("/spec/leaderWorkerTemplate", "size", 2);
    assertThat(podSets(workload(0))).containsExactly("leader 1", "worker 3");

    cluster.delete(TestPods.key("llm-0"));
    settle();
    assertThat(podSets(workload(0))).containsExactly("leader 1", "worker 1");
    assertThat(Conditions.isTrue(workload(0), "QuotaReserved")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"one, two, false", "one, one, true", "two, two, true"})
  void letsPodsOfAnOldRevisionGoDuringARollOut(String current, String update, boolean waits) {
    add(1, true);
    addSet("llm", "LeaderWorkerSet", KEY);
    cluster.change(
        set("llm"),
        it ->
            it.withObject("/status").put("currentRevision", current).put("updateRevision", update));
    addPod("llm-0", "llm", 0, 0);
    settle();

    assertThat(Pods.isGated(pod("llm-0"))).isEqualTo(waits);
  }

  @Test
  void followsQueueAndGatesWhileItHasNoQuota() {
    add(2, true);
    admit(1);
    cluster.changeWorkload(
        workload(0).at("/metadata/name").asText(),
        it ->
            it.withObject("/metadata/annotations")
                .put("kueue.x-k8s.io/admission-gated-by", "x.io/a"));
    cluster.change(
        KEY, it -> it.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "other"));
    settle();

    assertThat(workload(0).at("/spec/queueName").asText()).isEqualTo("other");
    assertThat(workload(1).at("/spec/queueName").asText()).isEqualTo("lq");
    assertThat(workload(0).at("/metadata/annotations").has("kueue.x-k8s.io/admission-gated-by"))
        .as("the set has no gate any more")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"ownerReferences", "annotations"})
  void takesAWorkloadBackThatLost(String member) {
    add(1, true);
    String name = name(workload(0));
    cluster.changeWorkload(name, it -> it.withObject("/metadata").remove(member));
    settle();

    assertThat(indexes()).containsExactly(0);
    assertThat(workload(0).at("/metadata/ownerReferences")).hasSize(1);
    assertThat(name(workload(0))).isEqualTo(name);
  }

  @Test
  void makesNoWorkloadsOfACopyFromAnotherCluster() {
    add(1, true);
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", name(workload(0))));
    cluster.change(
        KEY,
        it -> it.withObject("/metadata/labels").put("kueue.x-k8s.io/multikueue-origin", "manager"));

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void doesNotQueueItsStatefulSets() {
    add(1, true);
    addLeader(0);
    addWorkers(0);

    assertThat(cluster.plan(set("llm"))).isEqualTo(Plan.REST);
    assertThat(cluster.plan(set("llm-0"))).isEqualTo(Plan.REST);
    assertThat(cluster.workloads()).hasSize(1);
  }

  @Test
  void isLookedAtWhenItsPodsOrTheirStatefulSetsChange() {
    add(1, true);
    addLeader(0);

    assertThat(cluster.planner().touchedBy(cluster, JobKey.POD, (ObjectNode) pod("llm-0")))
        .contains(KEY);
    assertThat(cluster.planner().touchedBy(cluster, SETS, (ObjectNode) cluster.get(set("llm"))))
        .containsExactly(set("llm"), KEY);
    assertThat(cluster.planner().watched()).contains(Framework.STATEFUL_SET.type());
  }

  /** A Pod that was let go starts and gets ready; only its group asks for that. */
  @ParameterizedTest
  @CsvSource({
    "'{`spec`: {`schedulingGates`: []}}',                      false",
    "'{`status`: {`phase`: `Running`}}',                       false",
    "'{`metadata`: {`labels`: {`app`: `other`}}}',             true",
    "'{`metadata`: {`deletionTimestamp`: `2026-01-01T00:00:00Z`}}', true",
    "'{`status`: {`phase`: `Failed`}}',                        true",
    "'{}',                                                     true", // it waits to join
  })
  void isPlannedWhenAPodMayJoinOrEnds(String change, boolean isPlanned) {
    add(1, true);
    addLeader(0);
    var before = (ObjectNode) pod("llm-0");
    ObjectNode after = before.deepCopy();
    if (!change.equals("{}")) {
      after.withObject("/spec").putArray("schedulingGates");
    }
    ObjectNode changed = json(change.replace('`', '\''));
    changed
        .properties()
        .forEach(it -> after.withObject("/" + it.getKey()).setAll((ObjectNode) it.getValue()));

    assertThat(
            cluster
                .planner()
                .touchedBy(
                    cluster, JobKey.POD, new ObjectChange(Optional.of(before), Optional.of(after))))
        .matches(it -> it.contains(KEY) == isPlanned);
  }

  @Test
  void makesManyReplicasInSeveralPlans() {
    add(250, false);

    assertThat(indexes()).hasSize(250);
  }

  @Test
  void writesNothingAboutAGroupWhosePodsEndWithTheirSet() {
    add(1, true);
    addLeader(0);
    addWorkers(0);
    admit(0);
    List<String> pods = List.of("llm-0", "llm-0-1", "llm-0-2");
    pods.forEach(it -> cluster.change(TestPods.key(it), TestPods::run));
    settle();
    JsonNode before = workload(0);
    assertThat(Conditions.isTrue(before, "PodsReady")).isTrue();

    cluster.delete(KEY);
    cluster.settle(KEY);
    JobKey group = JobKey.group("ns", name(before));
    for (String pod : pods) {
      cluster.delete(TestPods.key(pod));
      assertThat(cluster.plan(group).writes()).as("after " + pod).isEmpty();
    }

    assertThat(workload(0)).isEqualTo(before);
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", name(before)));
    cluster.settle(group);
    assertThat(cluster.workloads()).isEmpty();
  }

  @Test
  void stopsThePodsOfAnEvictedGroupWhoseSetIsGone() {
    add(1, true);
    addLeader(0);
    addWorkers(0);
    admit(0);
    cluster.change(TestPods.key("llm-0"), TestPods::run);
    cluster.delete(KEY);
    cluster.changeWorkload(name(workload(0)), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(JobKey.group("ns", name(workload(0))));

    assertThat(cluster.find(JobKey.POD, "ns", "llm-0")).isEmpty();
  }

  @Test
  void releasesThePodsOfADeletedSet() {
    add(1, true);
    addLeader(0);
    cluster.delete(KEY);
    cluster.settle(KEY);

    assertThat(Pods.isGated(pod("llm-0"))).isFalse();
  }
}
