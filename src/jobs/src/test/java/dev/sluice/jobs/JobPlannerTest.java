package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobPlannerTest {
  private static final GroupKind SETS = new GroupKind("apps", "StatefulSet");
  private static final JobKey CHILD = JobKey.of(Jobs.KIND, "ns", "child");

  private final TestCluster cluster = Jobs.cluster();

  private Set<JobKey> touchedBy(GroupKind kind, ObjectNode object) {
    return cluster.planner().touchedBy(cluster, kind, object);
  }

  private Set<JobKey> touchedBy(ObjectNode before, ObjectNode after) {
    return cluster.planner().touchedBy(cluster, WorkloadView.KIND, change(before, after));
  }

  private static ObjectChange change(ObjectNode before, ObjectNode after) {
    return new ObjectChange(Optional.of(before), Optional.of(after));
  }

  private static ObjectNode changed(ObjectNode object, Consumer<ObjectNode> change) {
    ObjectNode after = object.deepCopy();
    change.accept(after);
    return after;
  }

  private static void makeReady(ObjectNode workload) {
    Admissions.condition(workload, "PodsReady", true, "Started", "m");
  }

  private static void hold(ObjectNode workload) {
    workload.withArray("/metadata/finalizers").add("kueue.x-k8s.io/resource-in-use");
  }

  /** A Job that the Job j controls. */
  private static ObjectNode child() {
    ObjectNode child = json(Jobs.job("child", 1, 1));
    child.withArray("/metadata/ownerReferences").add(owner("batch/v1", "Job", "j", "u"));
    return child;
  }

  private static ObjectNode owner(String apiVersion, String kind, String name, String uid) {
    return json("{'controller': true}")
        .put("apiVersion", apiVersion)
        .put("kind", kind)
        .put("name", name)
        .put("uid", uid);
  }

  private static ObjectNode workload(String name, ObjectNode... owners) {
    ObjectNode workload =
        json("{'metadata': {'namespace': 'ns', 'name': '" + name + "'}, 'spec': {}}");
    workload.withObject("/metadata").putArray("ownerReferences").addAll(List.of(owners));
    return workload;
  }

  @Test
  void plansAJobAndItsOwnersWhenItsWorkloadChanges() {
    assertThat(touchedBy(Jobs.KIND, json(Jobs.job("j", 1, 1)))).containsExactly(Jobs.KEY);
    assertThat(touchedBy(WorkloadView.KIND, workload("w", owner("batch/v1", "Job", "j", "u"))))
        .containsExactly(Jobs.KEY);
    assertThat(touchedBy(WorkloadView.KIND, workload("w", owner("x.io/v1", "Other", "j", "u"))))
        .isEmpty();
  }

  @Test
  void plansAGroupWhenOneOfItsPodsOrItsWorkloadChanges() {
    ObjectNode member = TestPods.member("g-0", 2);
    ObjectNode workload = workload("g", owner("v1", "Pod", "g-0", "u"));
    workload.withObject("/metadata/annotations").put(Annotations.IS_GROUP_WORKLOAD, "true");

    assertThat(touchedBy(JobKey.POD, member)).containsExactly(JobKey.group("ns", "g"));
    assertThat(touchedBy(WorkloadView.KIND, workload)).containsExactly(JobKey.group("ns", "g"));
    assertThat(touchedBy(JobKey.POD, TestPods.pod("solo"))).containsExactly(TestPods.key("solo"));
  }

  @ParameterizedTest
  @CsvSource({
    "metadata,                 resourceVersion, 2, g-1",
    "status,                   phase,     Running, g-1",
    "metadata/labels,          kueue.x-k8s.io/pod-group-name, g-2, g-1 g-2",
    "metadata/labels,          kueue.x-k8s.io/managed, false, g-1",
  })
  void plansTheGroupThatAPodWasInOnlyIfItMayHaveLeft(
      String at, String member, String value, String expected) {
    ObjectNode before = TestPods.member("g-0", 2);
    before.withObject("/metadata/labels").put("kueue.x-k8s.io/pod-group-name", "g-1");
    ObjectNode after = before.deepCopy();
    after.withObject("/" + at).put(member, value);

    Set<JobKey> touched =
        cluster
            .planner()
            .touchedBy(
                cluster, JobKey.POD, new ObjectChange(Optional.of(before), Optional.of(after)));

    assertThat(touched.stream().map(JobKey::name)).containsExactlyInAnyOrder(expected.split(" "));
  }

  @Test
  void plansTheOwnersThatAWorkloadHadAndHas() {
    ObjectNode before = workload("w", owner("batch/v1", "Job", "j", "u"));
    ObjectNode after = workload("w", owner("batch/v1", "Job", "k", "v"));

    assertThat(touchedBy(before, after))
        .containsExactlyInAnyOrder(Jobs.KEY, JobKey.of(Jobs.KIND, "ns", "k"));
  }

  @Test
  void gathersChangesOfPodsBeforeItPlansTheirGroup() {
    JobPlanner planner = cluster.planner();
    JobKey group = JobKey.group("ns", "g");
    ObjectNode member = TestPods.member("g-0", 2);
    ObjectChange creation = new ObjectChange(Optional.empty(), Optional.of(member));
    ObjectChange join = change(TestPods.pod("g-0"), member);
    ObjectChange run = change(member, changed(member, TestPods::run));

    assertThat(planner.gathering(JobKey.POD, creation, group))
        .isPositive()
        .isEqualTo(planner.gathering(JobKey.POD, join, group))
        .isLessThan(planner.gathering(JobKey.POD, run, group));
    assertThat(planner.gathering(WorkloadView.KIND, Admissions.admission(), group))
        .as("admitted")
        .isZero();
    assertThat(planner.gathering(JobKey.POD, run, TestPods.key("solo"))).isZero();
  }

  @Test
  void gathersWhatItWritesItselfAboutAJob() {
    ObjectNode workload = workload("w", owner("batch/v1", "Job", "j", "u"));
    ObjectChange readiness = change(workload, changed(workload, JobPlannerTest::makeReady));

    assertThat(cluster.planner().gathering(WorkloadView.KIND, readiness, Jobs.KEY)).isPositive();
    assertThat(cluster.planner().gathering(WorkloadView.KIND, Admissions.admission(), Jobs.KEY))
        .isZero();
  }

  @Test
  void gathersStatusesOfASetOfPodsButNotItsSize() {
    ObjectNode set = json("{'metadata': {'name': 'db'}, 'spec': {'replicas': 1}}");
    JobKey key = JobKey.of(SETS, "ns", "db");
    ObjectChange status =
        change(set, changed(set, it -> it.withObject("/status").put("replicas", 1)));
    ObjectChange size = change(set, changed(set, it -> it.withObject("/spec").put("replicas", 2)));

    assertThat(cluster.planner().gathering(SETS, status, key)).isPositive();
    assertThat(cluster.planner().gathering(SETS, size, key)).isZero();
  }

  @Test
  void doesNotPlanForTheFinalizerThatAFinishedWorkloadLost() {
    ObjectNode finished = workload("w", owner("batch/v1", "Job", "j", "u"));
    Admissions.condition(finished, "Finished", true, "Succeeded", "m");
    ObjectNode held = changed(finished, JobPlannerTest::hold);

    assertThat(cluster.planner().isNews(WorkloadView.KIND, change(held, finished))).isFalse();
    assertThat(cluster.planner().isNews(WorkloadView.KIND, change(finished, held))).isTrue();
  }

  @Test
  void plansAJobUnderAnotherOnlyIfTheWorkloadAboveMayStartOrStopIt() {
    ObjectNode workload = workload("w", owner("batch/v1", "Job", "j", "u"));
    cluster.add(child().toString());

    assertThat(touchedBy(workload, changed(workload, JobPlannerTest::makeReady)))
        .containsExactly(Jobs.KEY);
    assertThat(touchedBy(workload, changed(workload, Admissions::admit)))
        .containsExactlyInAnyOrder(Jobs.KEY, CHILD);
  }

  @Test
  void doesNotPlanAJobUnderAnotherForItsStatus() {
    cluster.add(Jobs.job("j", 1, 1));
    String uid = cluster.get(Jobs.KEY).at("/metadata/uid").asText();
    ObjectNode child = child();
    child
        .withArray("/metadata/ownerReferences")
        .removeAll()
        .add(owner("batch/v1", "Job", "j", uid));
    ObjectNode active = changed(child, it -> it.withObject("/status").put("active", 1));
    ObjectNode resumed = changed(child, it -> it.withObject("/spec").put("suspend", false));

    assertThat(cluster.planner().touchedBy(cluster, Jobs.KIND, change(child, active))).isEmpty();
    assertThat(cluster.planner().touchedBy(cluster, Jobs.KIND, change(child, resumed)))
        .containsExactly(CHILD);
  }

  @Test
  void plansAJobForItsStatusIfNoOwnerDecidesForIt() {
    ObjectNode orphan = child();
    ObjectNode active = changed(orphan, it -> it.withObject("/status").put("active", 1));

    assertThat(cluster.planner().touchedBy(cluster, Jobs.KIND, change(orphan, active)))
        .as("under one that is not seen")
        .containsExactly(CHILD);
  }

  @Test
  void plansAStatefulSetWhenOneOfItsPodsChanges() {
    ObjectNode pod = TestPods.pod("db-0");
    pod.withObject("/metadata/labels").remove("kueue.x-k8s.io/managed");
    pod.withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/pod-suspending-parent", "statefulset");
    pod.withObject("/metadata")
        .putArray("ownerReferences")
        .add(owner("apps/v1", "StatefulSet", "db", "u"));

    assertThat(touchedBy(JobKey.POD, pod)).containsExactly(JobKey.of(SETS, "ns", "db"));
  }

  @ParameterizedTest
  @CsvSource({
    "kueue.x-k8s.io/priority-class,         WorkloadPriorityClass, ''",
    "kueue.x-k8s.io/prebuilt-workload-name, Workload,              ns",
  })
  void plansAJobWhenTheObjectItWaitsForComes(String label, String kind, String namespace) {
    cluster.add(Jobs.job("j", 1, 1).replace("'lq'", "'lq', '" + label + "': 'x'"));
    GroupKind awaited = new GroupKind("kueue.x-k8s.io", kind);
    ObjectNode object = json("{'metadata': {'name': 'x', 'namespace': '" + namespace + "'}}");
    assertThat(touchedBy(awaited, object)).isEmpty();

    cluster.settle(Jobs.KEY);
    assertThat(touchedBy(awaited, object)).containsExactly(Jobs.KEY);

    cluster.change(Jobs.KEY, it -> it.withObject("/metadata/labels").remove(label));
    cluster.settle(Jobs.KEY);
    assertThat(cluster.workloads()).hasSize(1);
    assertThat(touchedBy(awaited, object)).isEmpty();
  }

  /** A chain of Jobs, each owned by the next; the last has a queue. */
  private void addChain(int length, boolean isCircle) {
    for (int i = 0; i < length; i++) {
      ObjectNode job = json(Jobs.job("j" + i, 1, 1));
      job.withObject("/metadata").put("uid", "uid-" + i);
      job.withObject("/spec").put("suspend", false);
      boolean isLast = i == length - 1;
      if (!isLast || isCircle) {
        int next = (i + 1) % length;
        job.withObject("/metadata").remove("labels");
        job.withObject("/metadata")
            .putArray("ownerReferences")
            .add(owner("batch/v1", "Job", "j" + next, "uid-" + next));
      }
      cluster.add(job.toString());
    }
  }

  private static JobKey first() {
    return JobKey.of(Jobs.KIND, "ns", "j0");
  }

  @Test
  void asksTheFarthestManagedOwnerWhetherAJobMayRun() {
    addChain(10, false);

    cluster.settle(first());

    assertThat(cluster.get(first()).at("/spec/suspend").asBoolean()).isTrue();
    assertThat(cluster.workloads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 13})
  void complainsOnceOfOwnersThatAreTooManyOrGoRoundInACircle(int length) {
    addChain(length, length == 3);

    cluster.settle(first());
    cluster.settle(first());

    assertThat(cluster.eventReasons()).containsExactly("JobNestingTooDeep");
    assertThat(cluster.get(first()).at("/spec/suspend").asBoolean()).isFalse();
  }

  @Test
  void plansAJobAgainWhenAnOwnerThatWasNotSeenYetIsSeen() {
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata").putArray("ownerReferences").add(owner("batch/v1", "Job", "p", "u"));
    cluster.add(job.toString());

    Plan plan = cluster.plan(Jobs.KEY);

    assertThat(plan.writes()).isEmpty();
    assertThat(plan.again()).contains(cluster.now().plusSeconds(2));
    assertThat(cluster.planner().touchedBy(cluster, Jobs.KIND, cluster.add(Jobs.job("p", 1, 1))))
        .contains(Jobs.KEY);
  }

  @Test
  void queuesAJobWhoseOwnerWasReplacedByAnotherOfItsName() {
    cluster.add(Jobs.job("p", 1, 1));
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata")
        .putArray("ownerReferences")
        .add(owner("batch/v1", "Job", "p", "old"));
    cluster.add(job.toString());

    cluster.settle(Jobs.KEY);

    assertThat(cluster.onlyWorkloadName()).startsWith("job-j-");
  }

  @Test
  void queuesAJobWhoseOwnerIsOfAnUnwatchedKind() {
    var run = new GroupVersionKind("example.com", "v1", "Run");
    var external = new TestCluster(Jobs.withExternal(run));
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata")
        .putArray("ownerReferences")
        .add(owner("example.com/v1", "Run", "m", "u"));
    external.add(job.toString());

    external.settle(Jobs.KEY);

    assertThat(external.workloads()).hasSize(1);
  }
}
