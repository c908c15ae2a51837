package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatefulSetTest {
  private static final JobKey KEY = JobKey.of(new GroupKind("apps", "StatefulSet"), "ns", "db");

  private final TestCluster cluster = Jobs.cluster();

  private void add() {
    cluster.add(
        """
        {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
         'metadata': {'name': 'db', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'replicas': 2, 'template': {
           'metadata': {'labels': {'app': 'db'},
             'annotations': {'kueue.x-k8s.io/pod-suspending-parent': 'statefulset'}},
           'spec': {'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '1'}}}]}}}}
        """);
    cluster.settle(KEY);
  }

  /** A Pod as the StatefulSet controller and the webhook make it. */
  private void addPod(String name) {
    ObjectNode pod = TestPods.pod(name);
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.remove("finalizers");
    metadata.putObject("labels").put("app", "db").put("controller-revision-hash", "db-1");
    metadata.withObject("/annotations").put("kueue.x-k8s.io/pod-suspending-parent", "statefulset");
    ObjectNode owner =
        json("{'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'name': 'db', 'controller': true}");
    owner.set("uid", cluster.get(KEY).at("/metadata/uid"));
    metadata.putArray("ownerReferences").add(owner);
    cluster.add(pod.toString());
    settle();
  }

  private void settle() {
    cluster.settle(KEY);
    cluster.settle(group());
  }

  private JobKey group() {
    return JobKey.group("ns", cluster.onlyWorkloadName());
  }

  private JsonNode pod(String name) {
    return cluster.get(TestPods.key(name));
  }

  private void scale(int replicas) {
    cluster.change(KEY, it -> it.withObject("/spec").put("replicas", replicas));
    settle();
  }

  private String quotaReason() {
    return Conditions.find(cluster.onlyWorkload(), "QuotaReserved")
        .orElseThrow()
        .path("reason")
        .asText();
  }

  @Test
  void doesNotLimitTheTimeOfServingJobs() {
    cluster.add(
        """
        {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
         'metadata': {'name': 'db', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq',
           'kueue.x-k8s.io/max-exec-time-seconds': '600'}},
         'spec': {'replicas': 1, 'template': {'metadata': {}, 'spec': {'containers': [
           {'name': 'c', 'image': 'i'}]}}}}
        """);
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().path("spec").has("maximumExecutionTimeSeconds")).isFalse();
  }

  @Test
  void givesASetOneWorkloadForAllItsReplicas() {
    add();

    JsonNode workload = cluster.onlyWorkload();
    String uid = cluster.get(KEY).at("/metadata/uid").asText();
    assertThat(cluster.onlyWorkloadName()).matches("statefulset-db-[0-9a-f]{5}");
    assertThat(workload.path("metadata").has("finalizers")).isFalse();
    assertThat(workload.at("/metadata/annotations"))
        .isEqualTo(
            json(
                """
                {'kueue.x-k8s.io/is-group-workload': 'true',
                 'kueue.x-k8s.io/job-owner-gvk': 'apps/v1, Kind=StatefulSet',
                 'kueue.x-k8s.io/job-owner-name': 'db'}
                """));
    assertThat(workload.at("/metadata/labels/kueue.x-k8s.io~1job-uid").asText()).isEqualTo(uid);
    assertThat(workload.at("/metadata/ownerReferences/0"))
        .isEqualTo(
            json(
                "{'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'name': 'db', 'uid': '"
                    + uid
                    + "'}"));
    assertThat(workload.at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(workload.at("/spec/podSets/0/template/metadata")).isEmpty();
    assertThat(workload.at("/spec/podSets/0/topologyRequest"))
        .isEqualTo(json("{'podIndexLabel': 'apps.kubernetes.io/pod-index'}"));
    assertThat(cluster.eventMessages())
        .containsExactly("CreatedWorkload: Created Workload: ns/" + cluster.onlyWorkloadName());
  }

  @Test
  void setsTheGroupOnItsPodsAndUngatesThemWhenItIsAdmitted() {
    add();
    addPod("db-0");
    String name = cluster.onlyWorkloadName();
    JsonNode metadata = pod("db-0").path("metadata");
    assertThat(metadata.path("labels"))
        .isEqualTo(
            json(
                """
                {'app': 'db', 'controller-revision-hash': 'db-1', 'kueue.x-k8s.io/managed': 'true',
                 'kueue.x-k8s.io/queue-name': 'lq'}
                """));
    assertThat(metadata.path("annotations"))
        .isEqualTo(
            json(
                """
                {'kueue.x-k8s.io/pod-group-fast-admission': 'true',
                 'kueue.x-k8s.io/pod-group-name': '%s',
                 'kueue.x-k8s.io/pod-group-pod-index-label': 'apps.kubernetes.io/pod-index',
                 'kueue.x-k8s.io/pod-group-serving': 'true',
                 'kueue.x-k8s.io/pod-group-total-count': '2',
                 'kueue.x-k8s.io/pod-suspending-parent': 'statefulset',
                 'kueue.x-k8s.io/prebuilt-workload-name': '%s',
                 'kueue.x-k8s.io/role-hash': 'main'}
                """
                    .formatted(name, name)));

    cluster.changeWorkload(name, Admissions::admit);
    settle();
    addPod("db-1");
    cluster.change(TestPods.key("db-0"), TestPods::run);
    cluster.change(TestPods.key("db-1"), TestPods::run);
    settle();

    assertThat(Pods.isGated(pod("db-1"))).isFalse();
    assertThat(cluster.onlyWorkload().at("/metadata/ownerReferences")).hasSize(3);
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isTrue();
    assertThat(cluster.eventReasons()).contains("OwnerReferencesAdded", "Started");
  }

  @Test
  void isReadyWhenItsPodsOnAnotherClusterAreThoughThoseHereAreGated() {
    cluster.remoteStop = RemoteStop.MAY_RUN;
    add();
    addPod("db-0");
    addPod("db-1");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    settle();
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isFalse();

    cluster.isReadyElsewhere = true;
    settle();

    assertThat(Pods.isGated(pod("db-0"))).isTrue();
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), "PodsReady")).isTrue();
  }

  @Test
  void givesQuotaBackAtZeroReplicasAndAsksForAsManyAsItHasLater() {
    add();
    String name = cluster.onlyWorkloadName();
    cluster.changeWorkload(name, Admissions::admit);
    addPod("db-0");
    scale(0);
    assertThat(quotaReason()).as("a Pod is still there").isEqualTo("QuotaReserved");

    cluster.delete(TestPods.key("db-0"));
    settle();
    assertThat(quotaReason()).isEqualTo("OnHold");
    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);

    scale(3);
    assertThat(quotaReason()).isEqualTo("PendingEvaluation");
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(3);
  }

  /** A Pod that still runs is on its way out because the set shrinks: it has not failed. */
  @Test
  void missesNoPodWhileTheLastOneEnds() {
    add();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    addPod("db-0");
    cluster.change(TestPods.key("db-0"), it -> it.withObject("/spec").put("nodeName", "n1"));
    cluster.change(TestPods.key("db-0"), it -> it.withObject("/status").put("phase", "Running"));
    scale(0);

    cluster.change(
        TestPods.key("db-0"),
        it -> it.withObject("/metadata").put("deletionTimestamp", "2026-11-21T12:00:30Z"));
    settle();
    cluster.delete(TestPods.key("db-0"));
    settle();

    assertThat(Conditions.find(cluster.onlyWorkload(), "WaitingForReplacementPods")).isEmpty();
    assertThat(quotaReason()).isEqualTo("OnHold");
  }

  @Test
  void keepsTheQuotaOfADeletedWorkloadUntilItsPodsHaveEnded() {
    add();
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    addPod("db-0");
    cluster.change(TestPods.key("db-0"), TestPods::run);
    settle();
    String name = cluster.onlyWorkloadName();

    cluster.changeWorkload(
        name,
        it ->
            it.withObject("/metadata")
                .putArray("finalizers")
                .add("kueue.x-k8s.io/resource-in-use")); // as the webhook does
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", name));
    cluster.settle(KEY);
    assertThat(cluster.find(WorkloadView.KIND, "ns", name)).isPresent();

    cluster.settle(JobKey.group("ns", name));
    cluster.delete(TestPods.key("db-0"));
    cluster.settle(JobKey.group("ns", name));
    assertThat(cluster.find(WorkloadView.KIND, "ns", name)).isEmpty();
  }

  @Test
  void letsPodsOfTheOldRevisionGoDuringARollOut() {
    add();
    cluster.change(
        KEY,
        it ->
            it.withObject("/status").put("currentRevision", "db-1").put("updateRevision", "db-2"));

    addPod("db-0");

    assertThat(Pods.isGated(pod("db-0"))).isFalse();
  }

  /** Such a Pod stays at its revision, so it starts with its group, and waits if that has to. */
  @ParameterizedTest
  @CsvSource({"0, 2, db-0, true", "0, 2, db-1, true", "0, 1, db-1, false", "5, 1, db-5, true"})
  void letsAPodBelowThePartitionOfARollOutJoinItsGroup(
      int start, int partition, String name, boolean joins) {
    add();
    cluster.change(
        KEY,
        it -> {
          it.withObject("/spec/ordinals").put("start", start);
          it.withObject("/spec/updateStrategy/rollingUpdate").put("partition", partition);
          it.withObject("/status").put("currentRevision", "db-1").put("updateRevision", "db-2");
        });

    addPod(name);

    assertThat(Pods.isGated(pod(name))).isEqualTo(joins);
    assertThat(pod(name).at("/metadata/labels/kueue.x-k8s.io~1managed").asText())
        .isEqualTo(joins ? "true" : "");
  }

  @Test
  void keepsPodsOfTheOldRevisionGatedThatRunOnAnotherCluster() {
    cluster.remoteStop = RemoteStop.MAY_RUN;
    add();
    cluster.change(
        KEY,
        it ->
            it.withObject("/status").put("currentRevision", "db-1").put("updateRevision", "db-2"));
    addPod("db-0");
    cluster.delete(KEY);

    cluster.settle(KEY);

    assertThat(Pods.isGated(pod("db-0"))).isTrue();
  }

  @Test
  void adoptsItsWorkloadWhenTheOwnerReferenceWasRemoved() {
    add();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> it.withObject("/metadata").putArray("ownerReferences"));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/metadata/ownerReferences")).hasSize(1);
  }

  @Test
  void makesNoWorkloadOfACopyFromAnotherCluster() {
    cluster.add(
        """
        {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
         'metadata': {'name': 'db', 'namespace': 'ns', 'labels': {
           'kueue.x-k8s.io/queue-name': 'lq', 'kueue.x-k8s.io/multikueue-origin': 'manager'}},
         'spec': {'replicas': 1, 'template': {'metadata': {}, 'spec': {}}}}
        """);

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void leavesASetToAnOwnerThatIsQueued() {
    cluster.add(Jobs.job("j", 1, 1));
    cluster.add(
        """
        {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
         'metadata': {'name': 'db', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'},
           'ownerReferences': [{'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'j',
             'controller': true, 'uid': '%s'}]},
         'spec': {'replicas': 1, 'template': {'metadata': {}, 'spec': {}}}}
        """
            .formatted(cluster.get(Jobs.KEY).at("/metadata/uid").asText()));
    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);

    cluster.delete(Jobs.KEY);
    assertThat(cluster.plan(KEY).again()).as("its owner may yet be seen").isPresent();
  }

  @Test
  void releasesThePodsOfADeletedSet() {
    add();
    addPod("db-0");
    cluster.delete(KEY);
    cluster.settle(KEY);

    assertThat(Pods.isGated(pod("db-0"))).isFalse();
    assertThat(pod("db-0").at("/spec/schedulingGates")).isEmpty();
  }

  @Test
  void replacesTheOwnerThatHadTheNameOfAPod() {
    add();
    addPod("db-0");
    addPod("db-1");
    cluster.delete(TestPods.key("db-0"));
    addPod("db-0");

    JsonNode owners = cluster.onlyWorkload().at("/metadata/ownerReferences");
    assertThat(owners)
        .extracting(it -> it.path("name").asText())
        .containsExactly("db", "db-1", "db-0");
    assertThat(owners.at("/2/uid")).isEqualTo(pod("db-0").at("/metadata/uid"));
  }

  @Test
  void givesQuotaBackAfterAnEvictionThoughNoPodComesAgain() {
    add();
    addPod("db-0");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    settle();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    settle();

    assertThat(cluster.find(JobKey.POD, "ns", "db-0")).isEmpty();
    assertThat(quotaReason()).isEqualTo("PendingEvaluation");
  }

  @Test
  void releasesPodsThatHaveEnded() {
    add();
    addPod("db-0");
    cluster.change(
        TestPods.key("db-0"),
        it -> {
          it.withObject("/metadata")
              .putArray("finalizers")
              .add("kueue.x-k8s.io/managed")
              .add("example.com/own");
          TestPods.end(it, "Failed");
        });
    settle();

    assertThat(pod("db-0").at("/metadata/finalizers").toString())
        .isEqualTo("[\"example.com/own\"]");
  }

  @Test
  void leavesASetAloneThatBelongsToAnotherKind() {
    add();
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));
    cluster.change(
        KEY,
        it ->
            it.withObject("/spec/template/metadata/annotations")
                .put("kueue.x-k8s.io/pod-suspending-parent", "leaderworkerset"));

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }
}
