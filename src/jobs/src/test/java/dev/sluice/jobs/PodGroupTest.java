package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.pod.PodGroup;
import dev.sluice.jobs.pod.PodShape;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodGroupTest {
  private static final JobKey KEY = JobKey.group("ns", "g");

  private final TestCluster cluster = Jobs.cluster();

  private void add(ObjectNode... pods) {
    Stream.of(pods).forEach(it -> cluster.add(it.toString()));
    cluster.settle(KEY);
  }

  private void addTwo() {
    add(TestPods.member("g-0", 2), TestPods.member("g-1", 2));
  }

  private void runTwo() {
    addTwo();
    cluster.changeWorkload("g", Admissions::admit);
    cluster.settle(KEY);
    change(TestPods::run, "g-0", "g-1");
    cluster.settle(KEY);
  }

  private void change(Consumer<ObjectNode> change, String... pods) {
    Stream.of(pods).forEach(it -> cluster.change(TestPods.key(it), change));
  }

  private boolean exists(String pod) {
    return cluster.find(JobKey.POD, "ns", pod).isPresent();
  }

  private JsonNode pod(String name) {
    return cluster.get(TestPods.key(name));
  }

  private JsonNode condition(String type) {
    return Conditions.find(cluster.workload("g"), type).orElseThrow();
  }

  @Test
  void waitsForAllPodsOfAGroupAndSaysSoOnce() {
    add(TestPods.member("g-0", 2));
    cluster.settle(KEY);

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly("ErrWorkloadCompose: 'g' group has fewer runnable pods than expected");
  }

  @Test
  void givesAGroupOneWorkloadThatAllItsPodsOwn() {
    addTwo();

    JsonNode workload = cluster.workload("g");
    assertThat(workload.at("/metadata/annotations/kueue.x-k8s.io~1is-group-workload").asText())
        .isEqualTo("true");
    assertThat(workload.path("metadata").has("labels")).isFalse();
    assertThat(workload.at("/metadata/ownerReferences")).hasSize(2);
    assertThat(workload.at("/metadata/ownerReferences/1"))
        .isEqualTo(WorkloadMaker.owner(Pods.KIND, pod("g-1")));
    assertThat(workload.at("/spec/podSets/0/name").asText()).isEqualTo("4b0469f7");
    assertThat(workload.at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(cluster.eventMessages()).containsExactly("CreatedWorkload: Created Workload: ns/g");
  }

  @Test
  void keepsAllPodsHereGatedWhileTheGroupRunsOnAnotherCluster() {
    cluster.remoteStop = RemoteStop.MAY_RUN;
    addTwo();
    cluster.changeWorkload("g", Admissions::admit);
    change(it -> it.withObject("/status").put("phase", "Running"), "g-0", "g-1");
    cluster.settle(KEY);
    assertThat(Pods.isGated(pod("g-0")) && Pods.isGated(pod("g-1"))).isTrue();

    cluster.changeWorkload("g", it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.remoteStop = RemoteStop.CERTAIN;
    cluster.settle(KEY);
    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(exists("g-0") && exists("g-1")).as("they are sent again").isTrue();
  }

  /** The label {@code team} is the one to copy; a dash stands for a Pod without it. */
  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({"a, a, a", "a, -, a", "-, a, a", "-, -, -", "'', -, ''"})
  void copiesALabelThatSomeOfItsPodsHaveAndNoneHasOtherwise(
      String first, String second, String copied) {
    add(TestPods.member("g-0", 2, first), TestPods.member("g-1", 2, second));

    JsonNode labels = cluster.workload("g").at("/metadata/labels");
    assertThat(labels.path("team").asText("-")).isEqualTo(copied);
  }

  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource({"a, b", "a, ''"})
  void hasNoWorkloadWhileItsPodsHaveALabelToCopyWithDifferentValues(String first, String second) {
    add(TestPods.member("g-0", 2, first), TestPods.member("g-1", 2, second));

    assertThat(cluster.workloads()).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly("ErrWorkloadCompose: the pods of group 'g' have different labels team");
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({"a, a, a", "a, -, a", "-, a, a", "a, b, refused"})
  void copiesAnAnnotationThatItsPodsDoNotContradict(String first, String second, String copied) {
    String key = "provreq.kueue.x-k8s.io/maxRunDurationSeconds";
    List<ObjectNode> members = List.of(TestPods.member("g-0", 2), TestPods.member("g-1", 2));
    List<String> values = List.of(first, second);
    for (int i = 0; i < 2; i++) {
      if (!values.get(i).equals("-")) {
        members.get(i).withObject("/metadata/annotations").put(key, values.get(i));
      }
    }
    add(members.get(0), members.get(1));

    if (copied.equals("refused")) {
      assertThat(cluster.eventMessages())
          .containsExactly(
              "ErrWorkloadCompose: the pods of group 'g' have different annotations " + key);
    } else {
      assertThat(JobObject.of(cluster.workload("g")).annotationText(key)).isEqualTo(copied);
    }
  }

  @Test
  void makesAPodSetOfEachRole() {
    ObjectNode other = TestPods.member("g-0", 3);
    other.withObject("/metadata/annotations").put("kueue.x-k8s.io/role-hash", "aaaa");
    add(other, TestPods.member("g-1", 3), TestPods.member("g-2", 3));

    JsonNode podSets = cluster.workload("g").at("/spec/podSets");
    assertThat(podSets)
        .extracting(it -> it.path("name").asText())
        .containsExactly("4b0469f7", "aaaa");
    assertThat(podSets).extracting(it -> it.path("count").asInt()).containsExactly(2, 1);
  }

  @Test
  void keepsTheRoleOfAPodThatNoLongerNamesIt() {
    add(ofItsShape("g-0"), ofItsShape("g-1"));
    change(PodGroupTest::removeRole, "g-0");
    cluster.settle(KEY);
    assertThat(exists("g-0") && exists("g-1")).as("while it waits").isTrue();

    cluster.changeWorkload("g", Admissions::admit);
    cluster.settle(KEY);
    change(TestPods::run, "g-0", "g-1");
    change(PodGroupTest::removeRole, "g-1");
    cluster.settle(KEY);

    assertThat(exists("g-0") && exists("g-1")).as("while it runs").isTrue();
    assertThat(condition("PodsReady").path("status").asText()).isEqualTo("True");
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started", "Started");
  }

  @Test
  void makesAPodSetOfPodsThatNameNoRole() {
    ObjectNode first = TestPods.member("g-0", 2);
    removeRole(first);
    ObjectNode second = TestPods.member("g-1", 2);
    removeRole(second);
    add(first, second);

    assertThat(cluster.workload("g").at("/spec/podSets/0/name").asText())
        .isEqualTo(PodShape.hash(first.path("spec")));
    assertThat(cluster.workload("g").at("/spec/podSets/0/count").asInt()).isEqualTo(2);
  }

  /** One of two Pods with the role that the webhook gives them. */
  private static ObjectNode ofItsShape(String name) {
    ObjectNode pod = TestPods.member(name, 2);
    pod.withObject("/metadata/annotations")
        .put(Annotations.ROLE_HASH, PodShape.hash(pod.path("spec")));
    return pod;
  }

  private static void removeRole(ObjectNode pod) {
    pod.withObject("/metadata/annotations").remove(Annotations.ROLE_HASH);
  }

  @Test
  void admitsAFastGroupBeforeItIsComplete() {
    ObjectNode first = TestPods.member("g-0", 3);
    first
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/pod-group-fast-admission", "true");
    add(first);

    assertThat(cluster.workload("g").at("/spec/podSets/0/count").asInt()).isEqualTo(3);
  }

  @Test
  void isHeldBackAsLongAsItsPodsSayThatSomebodyElseDoes() {
    ObjectNode held = TestPods.member("g-0", 2);
    held.withObject("/metadata/annotations").put(Annotations.ADMISSION_GATED_BY, "example.com/x");
    add(held, TestPods.member("g-1", 2));
    assertThat(
            cluster.workload("g").at("/metadata/annotations").has(Annotations.ADMISSION_GATED_BY))
        .isTrue();

    change(
        it -> it.withObject("/metadata/annotations").remove(Annotations.ADMISSION_GATED_BY), "g-0");
    cluster.settle(KEY);
    assertThat(
            cluster.workload("g").at("/metadata/annotations").has(Annotations.ADMISSION_GATED_BY))
        .isFalse();
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "UpdatedWorkload");
  }

  @Test
  void becomesAsImportantAsItsPodsSayLater() {
    cluster.add(
        "{'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'WorkloadPriorityClass', 'metadata':"
            + " {'name': 'high'}, 'value': 100}");
    addTwo();

    Consumer<ObjectNode> raise =
        it -> it.withObject("/metadata/labels").put(Labels.PRIORITY_CLASS, "high");
    change(raise, "g-0", "g-1");
    cluster.settle(KEY);

    assertThat(cluster.workload("g").at("/spec/priority").asInt()).isEqualTo(100);
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "UpdatedWorkload");
  }

  @Test
  void looksAgainForAClassThatItsPodsNameAndThatIsNotThere() {
    addTwo();
    cluster.pass(Duration.ofMinutes(1));
    cluster.settle(KEY);
    assertThat(cluster.plan(KEY).again()).isEmpty();

    Consumer<ObjectNode> raise =
        it -> it.withObject("/metadata/labels").put(Labels.PRIORITY_CLASS, "high");
    change(raise, "g-0", "g-1");
    cluster.settle(KEY);

    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(10));
  }

  @Test
  void movesWithItsPodsUnlessItServes() {
    addTwo();
    Consumer<ObjectNode> move =
        it -> it.withObject("/metadata/labels").put(Labels.QUEUE_NAME, "other");
    change(move, "g-0", "g-1");
    cluster.settle(KEY);
    assertThat(cluster.workload("g").at("/spec/queueName").asText()).isEqualTo("other");

    Consumer<ObjectNode> serve =
        it -> it.withObject("/metadata/annotations").put(Annotations.POD_GROUP_SERVING, "true");
    change(serve, "g-0", "g-1");
    cluster.changeWorkload("g", it -> it.withObject("/spec").put("queueName", "of the set"));
    cluster.settle(KEY);
    assertThat(cluster.workload("g").at("/spec/queueName").asText()).isEqualTo("of the set");
  }

  @Test
  void letsAllPodsOfAnAdmittedGroupGo() {
    runTwo();

    assertThat(Pods.isGated(pod("g-0"))).isFalse();
    assertThat(Pods.isGated(pod("g-1"))).isFalse();
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started", "Started");
    assertThat(condition("PodsReady").path("reason").asText()).isEqualTo("Started");
  }

  @Test
  void deletesThePodThatIsTooMany() {
    runTwo();
    cluster.pass(Duration.ofSeconds(1));
    add(TestPods.member("g-2", 2));

    assertThat(exists("g-2")).isFalse();
    assertThat(exists("g-0") && exists("g-1")).isTrue();
    assertThat(cluster.eventReasons())
        .contains("ExcessPodDeleted")
        .doesNotContain("OwnerReferencesAdded");
  }

  @Test
  void letsAReplacementTakeThePlaceOfAFailedPod() {
    runTwo();
    change(it -> TestPods.end(it, "Failed"), "g-0");
    cluster.settle(KEY);
    assertThat(condition("WaitingForReplacementPods").path("reason").asText())
        .isEqualTo("PodsFailed");
    assertThat(Pods.hasFinalizer(pod("g-0"))).isTrue();

    add(TestPods.member("g-2", 2));

    assertThat(Pods.hasFinalizer(pod("g-0"))).isFalse();
    assertThat(Pods.isGated(pod("g-2"))).isFalse();
    assertThat(condition("WaitingForReplacementPods").path("status").asText()).isEqualTo("False");
    assertThat(cluster.eventMessages())
        .contains("OwnerReferencesAdded: Added 1 owner reference(s)");
  }

  @Test
  void letsNoMorePodsRunThanWereGrantedWhileOneIsGoing() {
    runTwo();
    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);
    assertThat(exists("g-0")).as("waits for its replacement").isTrue();

    cluster.add(TestPods.member("g-2", 2).toString());
    cluster.plan(KEY).writes().forEach(cluster::send);
    long released =
        Stream.of("g-0", "g-1", "g-2")
            .filter(this::exists)
            .filter(it -> !Pods.isGated(pod(it)))
            .count();
    assertThat(released).isLessThanOrEqualTo(2);

    cluster.settle(KEY);
    assertThat(exists("g-0")).isFalse();
    assertThat(Pods.isGated(pod("g-2"))).isFalse();
  }

  @Test
  void finishesAGroupWhoseWorkIsDone() {
    runTwo();
    change(it -> TestPods.end(it, "Succeeded"), "g-0");
    cluster.settle(KEY);
    assertThat(cluster.workload("g").at("/status/reclaimablePods/0/count").asInt()).isEqualTo(1);

    change(it -> TestPods.end(it, "Succeeded"), "g-1");
    cluster.settle(KEY);

    assertThat(condition("Finished").path("message").asText()).isEqualTo("Pods succeeded: 2/2.");
    assertThat(Pods.hasFinalizer(pod("g-0")) || Pods.hasFinalizer(pod("g-1"))).isFalse();
    assertThat(new WorkloadView(cluster.workload("g")).hasFinalizer()).isFalse();
  }

  @Test
  void endsAGroupThatCannotBeRetriedWhenNothingRuns() {
    ObjectNode last = TestPods.member("g-0", 2);
    last.withObject("/metadata/annotations").put("kueue.x-k8s.io/retriable-in-group", "false");
    add(last, TestPods.member("g-1", 2));
    cluster.changeWorkload("g", Admissions::admit);
    cluster.settle(KEY);
    change(TestPods::run, "g-0", "g-1");
    change(it -> TestPods.end(it, "Failed"), "g-0");
    cluster.settle(KEY);
    assertThat(Conditions.isTrue(cluster.workload("g"), "Finished")).isFalse();

    change(it -> TestPods.end(it, "Failed"), "g-1");
    cluster.settle(KEY);

    assertThat(condition("Finished").path("reason").asText()).isEqualTo("Succeeded");
    assertThat(condition("Finished").path("message").asText()).isEqualTo("Pods succeeded: 0/2.");
    assertThat(condition(ConditionTypes.WAITING_FOR_REPLACEMENT_PODS).path("reason").asText())
        .as("no Pod came in their place")
        .isEqualTo("PodsFailed");
  }

  @Test
  void deletesTheRunningPodsOfAnEvictedGroupAndWaitsForOthers() {
    runTwo();
    cluster.changeWorkload("g", it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    assertThat(condition("QuotaReserved").path("status").asText())
        .as("they still run")
        .isEqualTo("True");

    change(it -> TestPods.end(it, "Failed"), "g-0", "g-1");
    cluster.settle(KEY);

    assertThat(condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(condition("WaitingForReplacementPods").path("reason").asText())
        .isEqualTo("Preempted");
    assertThat(Conditions.isTrue(cluster.workload("g"), "Finished")).isFalse();

    add(TestPods.member("g-2", 2), TestPods.member("g-3", 2));
    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(Pods.isGated(pod("g-2"))).isTrue();
  }

  @Test
  void finishesAGroupWhosePodsTheUserDeleted() {
    runTwo();
    cluster.delete(TestPods.key("g-0"));
    cluster.delete(TestPods.key("g-1"));

    cluster.settle(KEY);

    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
    assertThat(new WorkloadView(cluster.workload("g")).hasFinalizer()).isFalse();
  }

  @Test
  void endsAGroupThatWaitsWhenItsUserDeletesItsPodsOneAfterTheOther() {
    addTwo();
    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);
    assertThat(exists("g-0")).as("it may be replaced").isTrue();

    cluster.delete(TestPods.key("g-1"));
    cluster.settle(KEY);
    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
  }

  @Test
  void endsAnEvictedGroupWhenItsUserDeletesWhatWasToReplaceItsPods() {
    runTwo();
    cluster.changeWorkload("g", it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    change(it -> TestPods.end(it, "Failed"), "g-0", "g-1");
    add(TestPods.member("g-2", 2), TestPods.member("g-3", 2));

    cluster.delete(TestPods.key("g-2"));
    cluster.delete(TestPods.key("g-3"));
    cluster.settle(KEY);

    assertThat(exists("g-2") || exists("g-3")).isFalse();
    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
  }

  @Test
  void endsAGroupWhoseUserDeletesItsPodsOneAfterTheOther() {
    runTwo();
    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);
    assertThat(condition("WaitingForReplacementPods").path("status").asText()).isEqualTo("True");

    cluster.delete(TestPods.key("g-1"));
    change(it -> TestPods.end(it, "Failed"), "g-0", "g-1"); // as the collector of Pods does
    cluster.settle(KEY);

    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
  }

  @Test
  void waitsForReplacementsOfPodsThatAreDeletedBecauseOfTheirNode() {
    runTwo();
    change(
        it ->
            it.withObject("/status")
                .putArray("conditions")
                .addObject()
                .put("type", "DisruptionTarget")
                .put("status", "True"),
        "g-0",
        "g-1");
    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);

    cluster.delete(TestPods.key("g-1"));
    cluster.settle(KEY);

    assertThat(exists("g-0") && exists("g-1")).isTrue();
    assertThat(Conditions.isTrue(cluster.workload("g"), "Finished")).isFalse();
  }

  @Test
  void deletesAllPodsOfAGroupWhoseWorkloadIsDeleted() {
    runTwo();
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", "g"));

    cluster.settle(KEY);

    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(cluster.workloads()).isEmpty();
  }

  @Test
  void deletesAlsoThePodsThatHaveEnded() {
    runTwo();
    change(it -> TestPods.end(it, "Succeeded"), "g-0");
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", "g"));

    cluster.settle(KEY);

    assertThat(exists("g-0") || exists("g-1")).isFalse();
    assertThat(cluster.workloads()).isEmpty();
  }

  @Test
  void doesNotRepeatFinishedWorkWhosePodIsDeletedLater() {
    runTwo();
    change(it -> TestPods.end(it, "Succeeded"), "g-0");
    cluster.settle(KEY);

    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);
    add(TestPods.member("g-2", 2));

    assertThat(exists("g-2")).as("nothing is to be replaced").isFalse();
    assertThat(
            Conditions.isTrue(cluster.workload("g"), ConditionTypes.WAITING_FOR_REPLACEMENT_PODS))
        .isFalse();
  }

  @Test
  void startsWhatReplacesAPodOfAGroupWhoseOtherPodIsDone() {
    runTwo();
    change(it -> TestPods.end(it, "Succeeded"), "g-0");
    cluster.settle(KEY);
    cluster.changeWorkload("g", it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    change(it -> TestPods.end(it, "Failed"), "g-1");
    cluster.settle(KEY);
    add(TestPods.member("g-2", 2));
    assertThat(Pods.isGated(pod("g-2"))).isTrue();

    cluster.changeWorkload(
        "g",
        it -> {
          Admissions.admit(it);
          it.withObject("/status/admission/podSetAssignments/0").put("count", 1);
        });
    cluster.settle(KEY);

    assertThat(Pods.isGated(pod("g-2"))).isFalse();
  }

  @Test
  void leavesPodsAloneThatNameNoQueue() {
    for (String name : List.of("g-0", "g-1")) {
      ObjectNode pod = TestPods.member(name, 2);
      pod.withObject("/metadata/labels").remove("kueue.x-k8s.io/queue-name");
      pod.withObject("/spec").remove("schedulingGates");
      add(pod);
    }

    assertThat(cluster.workloads()).isEmpty();
    assertThat(exists("g-0") && exists("g-1")).isTrue();

    cluster.delete(TestPods.key("g-0"));
    cluster.settle(KEY);
    assertThat(exists("g-0")).as("nothing of ours keeps it").isFalse();
  }

  @Test
  void letsPodsGoThatAreDeletedWhereNothingIsManagedAnyMore() {
    JobKey key = JobKey.group("kube-system", "g");
    ObjectNode pod = TestPods.member("g-0", 1);
    pod.withObject("/metadata").put("namespace", "kube-system");
    cluster.add(pod.toString());
    cluster.settle(key);
    assertThat(cluster.find(JobKey.POD, "kube-system", "g-0")).isPresent();

    cluster.delete(JobKey.of(JobKey.POD, "kube-system", "g-0"));
    cluster.settle(key);

    assertThat(cluster.find(JobKey.POD, "kube-system", "g-0")).isEmpty();
  }

  @Test
  void finishesAWorkloadCreatedForOtherPodsAndDoesNotDeleteIt() {
    cluster.add(
        "{'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload', 'metadata': {'name': 'g',"
            + " 'namespace': 'ns'}, 'spec': {'podSets': [{'name': 'main', 'count': 1}]}}");
    ObjectNode pod = TestPods.member("g-0", 1);
    pod.withObject("/metadata/labels").put("kueue.x-k8s.io/prebuilt-workload-name", "g");
    add(pod);

    assertThat(condition("Finished").path("reason").asText()).isEqualTo("OutOfSync");
  }

  @Test
  void releasesADeletedPodWhoseWorkloadIsMissing() {
    ObjectNode pod = TestPods.member("g-0", 2);
    pod.withObject("/metadata/labels").put("kueue.x-k8s.io/prebuilt-workload-name", "g");
    add(pod);
    cluster.delete(TestPods.key("g-0"));

    cluster.settle(KEY);

    assertThat(exists("g-0")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "0, 1", "-1, 1", "x, 1", "4294967297, 2147483647", "3000000000, 2147483647"})
  void hasAsManyPodsAsItsAnnotationSays(String text, int total) {
    ObjectNode pod = TestPods.member("g-0", 1);
    pod.withObject("/metadata/annotations").put("kueue.x-k8s.io/pod-group-total-count", text);

    assertThat(PodGroup.total(pod)).isEqualTo(total);
  }

  @Test
  void adoptsNoWorkloadThatIsNotOfTheGroup() {
    cluster.add(
        "{'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload', 'metadata': {'name': 'g',"
            + " 'namespace': 'ns'}, 'spec': {}}");
    addTwo();

    assertThat(cluster.eventReasons()).containsExactly("WorkloadNameConflict");
    assertThat(cluster.workload("g").path("metadata").has("ownerReferences")).isFalse();
    assertThat(cluster.planner().touchedBy(cluster, WorkloadView.KIND, cluster.workload("g")))
        .containsExactly(KEY);
  }

  @Test
  void reportsWhyAGroupCannotBeComposed() {
    ObjectNode other = TestPods.member("g-1", 2);
    other.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "other");
    add(TestPods.member("g-0", 2), other);

    assertThat(cluster.eventMessages())
        .containsExactly("ErrWorkloadCompose: the pods of group 'g' name different queues");
    assertThat(List.copyOf(cluster.workloads())).isEmpty();
  }
}
