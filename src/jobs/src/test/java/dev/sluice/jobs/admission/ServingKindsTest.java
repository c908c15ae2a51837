package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static dev.sluice.rules.Reviews.faults;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.WorkloadName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Deployment, StatefulSet and LeaderWorkerSet: DEP, STS and LWS rules, T-02 and T-12. */
class ServingKindsTest {
  private static final String QUEUE = "metadata.labels[kueue.x-k8s.io/queue-name]";
  private static final String LWS = "leaderworkerset.x-k8s.io/leaderworkerset";
  private static final String SET = "/spec/leaderWorkerTemplate";

  static Stream<String> kinds() {
    return SampleJobs.serving().stream();
  }

  private static JsonNode queued(String kind) {
    return labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");
  }

  private static JobObject template(JsonNode job, String pointer) {
    return JobObject.of(job.at(pointer));
  }

  private static JsonNode ready(JsonNode job, int replicas) {
    return with(job, "/status/readyReplicas", "" + replicas);
  }

  @Test
  void depD01ToD04WriteIntoTheTemplate() {
    JsonNode job = labelled(queued("deployment"), Labels.PRIORITY_CLASS, "p");
    job =
        with(job, "/spec/template/metadata/labels", "{'kueue.x-k8s.io/queue-name':'old','a':'b'}");

    for (JsonNode it : List.of(EMPTY.created(job), EMPTY.changed(job, job))) {
      JobObject template = template(it, "/spec/template");
      assertThat(template.annotationText(Annotations.POD_SUSPENDING_PARENT))
          .isEqualTo("deployment");
      assertThat(template.labelText(Labels.MANAGED)).isEqualTo("true");
      assertThat(template.labelText(Labels.QUEUE_NAME)).isEqualTo("q");
      assertThat(template.labelText(Labels.PRIORITY_CLASS)).isEqualTo("p");
      assertThat(template.labelText("a")).isEqualTo("b");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void leavesTheTemplateOfAnObjectWithoutQueueAsItIs(String kind) {
    JsonNode job = SampleJobs.of(kind);

    assertThat(EMPTY.created(job)).isEqualTo(job);
    assertThat(EMPTY.managingAll().created(job).toString())
        .contains(Annotations.POD_SUSPENDING_PARENT);
  }

  @Test
  void aStatefulSetGetsItsNameIntoTheTemplateAndNoLabels() {
    JsonNode job = EMPTY.created(queued("statefulset"));

    assertThat(template(job, "/spec/template").annotationText(Annotations.POD_SUSPENDING_PARENT))
        .isEqualTo("statefulset");
    assertThat(job.at("/spec/template/metadata/labels").isMissingNode()).isTrue();
  }

  @ParameterizedTest(name = "STS-00 parent {0}")
  @CsvSource({"leaderworkerset.x-k8s.io/leaderworkerset,true", "statefulset,false"})
  void sts00LeavesAnOwnedStatefulSetToItsOwner(String parent, boolean left) {
    JsonNode job =
        with(
            labelled(SampleJobs.of("statefulset"), Labels.QUEUE_NAME, "Bad_Name"),
            "/spec/template/metadata/annotations",
            "{'kueue.x-k8s.io/pod-suspending-parent':'" + parent + "'}");

    assertThat(EMPTY.onCreate(job).refuse()).isNotEqualTo(left);
    assertThat(EMPTY.withPriorityClass("default").created(job).equals(job)).isEqualTo(left);
  }

  @ParameterizedTest(name = "DEP-02 DEP-03 {0}")
  @MethodSource("kinds")
  void refusesWhatNoSuchKindCan(String kind) {
    JsonNode job = queued(kind);

    assertThat(faults(EMPTY.onCreate(annotated(job, Annotations.ELASTIC_JOB, "true"))))
        .containsExactly("FORBIDDEN metadata.annotations[kueue.x-k8s.io/elastic-job]");
    assertThat(EMPTY.onCreate(annotated(job, Annotations.ADMISSION_GATED_BY, "x")).refuse())
        .isTrue();
    assertThat(faults(EMPTY.onUpdate(job, annotated(job, Annotations.ADMISSION_GATED_BY, "a.b/c"))))
        .containsExactly("FORBIDDEN metadata.annotations[kueue.x-k8s.io/admission-gated-by]");
  }

  /** T-02: the label before and after, how many are ready, whether it is refused. */
  static Stream<Arguments> queueChanges() {
    var rows = new ArrayList<Arguments>();
    for (String kind : SampleJobs.serving()) {
      for (int ready : List.of(0, 1)) {
        rows.add(Arguments.of(kind, null, "q", ready, ready > 0));
        rows.add(Arguments.of(kind, "q", "r", ready, ready > 0));
        rows.add(Arguments.of(kind, "q", null, ready, true));
        rows.add(Arguments.of(kind, "q", "q", ready, false));
        rows.add(Arguments.of(kind, null, null, ready, false));
      }
    }
    return rows.stream();
  }

  @ParameterizedTest(name = "T-02 DEP-04 LWS-06 {0} {1} to {2}, {3} ready")
  @MethodSource("queueChanges")
  void letsTheQueueChangeWhileNothingIsReady(
      String kind, @Nullable String before, @Nullable String after, int ready, boolean refused) {
    JsonNode old = ready(labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, before), ready);
    JsonNode now = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, after);

    assertThat(faults(EMPTY.withQueue("default").onUpdate(old, now)))
        .isEqualTo(refused ? List.of("INVALID " + QUEUE) : List.of());
  }

  @ParameterizedTest(name = "DEP-05 LWS-07 {0} to {1}, {2} ready")
  @CsvSource(
      nullValues = "-",
      value = {"-,p,0,false", "-,p,1,true", "p,-,0,true", "p,-,1,true", "p,r,1,false"})
  void letsThePriorityClassBeReplaced(
      @Nullable String before, @Nullable String after, int ready, boolean refused) {
    for (String kind : SampleJobs.serving()) {
      JsonNode old = ready(labelled(queued(kind), Labels.PRIORITY_CLASS, before), ready);
      JsonNode now = labelled(queued(kind), Labels.PRIORITY_CLASS, after);

      assertThat(faults(EMPTY.onUpdate(old, now)))
          .isEqualTo(
              refused
                  ? List.of("INVALID metadata.labels[kueue.x-k8s.io/priority-class]")
                  : List.of());
    }
  }

  @ParameterizedTest(name = "OPP-59 {0}")
  @MethodSource("kinds")
  void opp59WarnsOfWhatHasNoEffect(String kind) {
    JsonNode job = queued(kind);

    assertThat(EMPTY.onCreate(job).warnings()).isEmpty();
    assertThat(EMPTY.onCreate(labelled(job, Labels.PREBUILT_WORKLOAD, "w")).warnings()).hasSize(1);
    assertThat(EMPTY.onCreate(labelled(job, Labels.MAX_EXEC_TIME, "5")).warnings()).hasSize(1);
  }

  @ParameterizedTest(name = "OPP-59 topology {0}")
  @CsvSource({"deployment", "statefulset"})
  void opp59WarnsOfPlacesThatItsPodsCannotAskFor(String kind) {
    JsonNode job =
        with(
            queued(kind),
            "/spec/template/metadata/annotations",
            "{'kueue.x-k8s.io/podset-slice-size':'2'}");

    assertThat(EMPTY.onCreate(job).refuse()).isFalse();
    assertThat(EMPTY.onCreate(job).warnings()).hasSize(1);
  }

  private static final String POD =
      "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}},"
          + "'ports':[{'containerPort':80}]}]}";

  /** What is set in a Pod's spec, and the field that is refused. */
  static Stream<Arguments> shapes() {
    return Stream.of(
        Arguments.of(
            "/containers/0/resources/requests/cpu", "'2'", "containers[0].resources.requests"),
        Arguments.of("/containers/0/resources/requests/cpu", "'1000m'", null),
        Arguments.of("/containers/0/resources/requests/cpu", "'1e0'", null), // another notation
        Arguments.of("/overhead", "{'memory':'1073741824'}", "overhead"),
        Arguments.of("/containers/0/resources/limits", "{'cpu':'4'}", null),
        Arguments.of("/containers/0/ports", "[]", "containers[0].ports"),
        Arguments.of("/containers/0/image", "'other'", null),
        Arguments.of("/containers", "[]", "containers"),
        Arguments.of("/initContainers", "[{'name':'x'}]", "initContainers"),
        Arguments.of("/initContainers", "[]", null),
        Arguments.of("/nodeSelector", "{'a':'b'}", "nodeSelector"),
        Arguments.of("/nodeSelector", "{}", null),
        Arguments.of("/affinity", "{'nodeAffinity':{}}", "affinity"),
        Arguments.of("/affinity", "{}", "affinity"),
        Arguments.of("/tolerations", "[]", null),
        Arguments.of("/tolerations", "[{'key':'a'}]", "tolerations"),
        Arguments.of("/runtimeClassName", "'gvisor'", "runtimeClassName"),
        Arguments.of("/priority", "5", "priority"),
        Arguments.of("/topologySpreadConstraints", "[{'maxSkew':1}]", "topologySpreadConstraints"),
        Arguments.of("/overhead", "{'cpu':'1'}", "overhead"),
        Arguments.of("/resourceClaims", "[{'name':'gpu'}]", "resourceClaims"),
        Arguments.of("/resources", "{'requests':{'cpu':'1'}}", "resources"),
        Arguments.of("/volumes", "[{'name':'v'}]", null));
  }

  @ParameterizedTest(name = "STS-01 LWS-10 {0} {1}")
  @MethodSource("shapes")
  void keepsTheShapeOfPodsThatAreQueued(String pointer, String value, @Nullable String field) {
    JsonNode set = with(queued("statefulset"), "/spec/template/spec", POD);
    JsonNode lws = with(queued(LWS), SET + "/leaderTemplate/spec", POD);
    String at = "spec.template.spec.";
    String leader = "spec.leaderWorkerTemplate.leaderTemplate.spec.";

    assertThat(faults(EMPTY.onUpdate(set, with(set, "/spec/template/spec" + pointer, value))))
        .isEqualTo(field == null ? List.of() : List.of("INVALID " + at + field));
    assertThat(
            faults(EMPTY.onUpdate(lws, with(lws, SET + "/leaderTemplate/spec" + pointer, value))))
        .isEqualTo(field == null ? List.of() : List.of("INVALID " + leader + field));
    JsonNode free = labelled(set, Labels.QUEUE_NAME, null);
    assertThat(faults(EMPTY.onUpdate(free, with(free, "/spec/template/spec" + pointer, value))))
        .isEmpty();
  }

  @ParameterizedTest(name = "STS-02 {0} to {1}")
  @CsvSource(
      nullValues = "null",
      value = {
        "2,3,true",
        "2,1,true",
        "2,0,false",
        "0,3,false",
        "null,2,true",
        "null,1,false",
        "2,2,false"
      })
  void sts02LetsReplicasBeOffOrOfASize(String before, String after, boolean refused) {
    JsonNode old = with(queued("statefulset"), "/spec/replicas", before == null ? "null" : before);
    JsonNode now = with(old, "/spec/replicas", after);

    assertThat(faults(EMPTY.onUpdate(old, now)))
        .isEqualTo(refused ? List.of("INVALID spec.replicas") : List.of());
  }

  @Test
  void sts03WaitsForThePodsFromBefore() {
    JsonNode old =
        with(with(queued("statefulset"), "/spec/replicas", "0"), "/status/replicas", "1");

    assertThat(faults(EMPTY.onUpdate(old, with(old, "/spec/replicas", "2"))))
        .containsExactly("FORBIDDEN spec.replicas");
  }

  private static String workload(String name, String condition) {
    return "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'"
        + name
        + "','namespace':'ns'},'status':{'conditions':["
        + condition
        + "]}}";
  }

  @Test
  void sts04WaitsForTheWorkloadFromBefore() {
    JsonNode old = with(queued("statefulset"), "/spec/replicas", "0");
    JsonNode now = with(old, "/spec/replicas", "2");
    String name = WorkloadName.of("StatefulSet", "apps", JobObject.of(old), false).getFirst();
    String held = "{'type':'QuotaReserved','status':'False','reason':'OnHold'}";

    assertThat(faults(EMPTY.onUpdate(old, now))).isEmpty();
    assertThat(faults(EMPTY.with(workload(name, "")).onUpdate(old, now)))
        .containsExactly("FORBIDDEN spec.replicas");
    assertThat(faults(EMPTY.with(workload(name, held)).onUpdate(old, now))).isEmpty();
    assertThat(faults(EMPTY.with(workload(name, held.replace("False", "True"))).onUpdate(old, now)))
        .containsExactly("FORBIDDEN spec.replicas");
    assertThat(faults(EMPTY.with(workload(name, held.replace("OnHold", "x"))).onUpdate(old, now)))
        .containsExactly("FORBIDDEN spec.replicas");
  }

  @Test
  void lwsD01ToD03WriteIntoBothTemplates() {
    JsonNode job = EMPTY.created(labelled(queued(LWS), Labels.PRIORITY_CLASS, "p"));

    for (String name : List.of("leaderTemplate", "workerTemplate")) {
      JobObject template = template(job, SET + "/" + name);
      assertThat(template.labelText(Labels.QUEUE_NAME)).isEqualTo("q");
      assertThat(template.labelText(Labels.PRIORITY_CLASS)).isEqualTo("p");
      assertThat(template.annotationText(Annotations.POD_SUSPENDING_PARENT)).isEqualTo(LWS);
      assertThat(template.annotationText(Annotations.POD_GROUP_SERVING)).isEqualTo("true");
      assertThat(template.annotationText(Annotations.POD_INDEX_OFFSET))
          .isEqualTo(name.equals("workerTemplate") ? "1" : "");
    }
  }

  @Test
  void lwsD03CountsFromZeroWhereThereIsNoLeaderOrAGroup() {
    JsonNode alone = with(queued(LWS), SET + "/leaderTemplate", "null");
    JsonNode grouped =
        with(
            queued(LWS),
            SET + "/workerTemplate/metadata/annotations",
            "{'kueue.x-k8s.io/podset-group-name':'g'}");

    for (JobScene scene : List.of(EMPTY, EMPTY.without(FeatureGate.TOPOLOGY_AWARE_SCHEDULING))) {
      assertThat(scene.created(alone).toString()).doesNotContain(Annotations.POD_INDEX_OFFSET);
      assertThat(scene.created(grouped).toString()).doesNotContain(Annotations.POD_INDEX_OFFSET);
    }
    assertThat(EMPTY.without(FeatureGate.TOPOLOGY_AWARE_SCHEDULING).created(queued(LWS)).toString())
        .doesNotContain(Annotations.POD_INDEX_OFFSET);
  }

  @ParameterizedTest(name = "T-12 LWS-03 {0}")
  @CsvSource({"-1,true", "0,false", "1000000,false", "1000001,true", "null,false"})
  void lws03BoundsReplicas(String replicas, boolean refused) {
    JsonNode job = with(SampleJobs.of(LWS), "/spec/replicas", replicas);

    assertThat(faults(EMPTY.onCreate(job)))
        .isEqualTo(refused ? List.of("INVALID spec.replicas") : List.of());
  }

  @Test
  void lws09RefusesToAddOrRemoveTheLeader() {
    JsonNode alone = with(queued(LWS), SET + "/leaderTemplate", "null");
    List<String> refused = List.of("INVALID spec.leaderWorkerTemplate.leaderTemplate");

    assertThat(faults(EMPTY.onUpdate(queued(LWS), alone))).isEqualTo(refused);
    assertThat(faults(EMPTY.onUpdate(alone, queued(LWS)))).isEqualTo(refused);
    assertThat(faults(EMPTY.onUpdate(SampleJobs.of(LWS), labelled(alone, Labels.QUEUE_NAME, null))))
        .isEmpty();
  }

  @ParameterizedTest(name = "LWS-11 size {0} to {1}")
  @CsvSource({"4,5,true", "4,3,true", "null,1,false", "null,2,true"})
  void lws11KeepsTheSizeOfGroups(String before, String after, boolean refused) {
    JsonNode old = with(queued(LWS), SET + "/size", before);
    JsonNode now = with(queued(LWS), SET + "/size", after);

    assertThat(faults(EMPTY.onUpdate(old, now)))
        .isEqualTo(refused ? List.of("INVALID spec.leaderWorkerTemplate.size") : List.of());
    assertThat(faults(EMPTY.without(FeatureGate.LWS_IMMUTABLE_GROUP_SIZE).onUpdate(old, now)))
        .isEmpty();
  }

  @Test
  void lws12LetsReplicasChange() {
    assertThat(faults(EMPTY.onUpdate(queued(LWS), with(queued(LWS), "/spec/replicas", "7"))))
        .isEmpty();
  }
}
