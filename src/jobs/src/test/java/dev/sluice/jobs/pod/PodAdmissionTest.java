package dev.sluice.jobs.pod;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.suspended;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.admission.JobScene;
import dev.sluice.jobs.admission.SampleJobs;
import dev.sluice.jobs.object.JobObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** T-17: Pods and groups of Pods. */
class PodAdmissionTest {
  private static final String GROUP_LABEL = "metadata.labels[kueue.x-k8s.io/pod-group-name]";
  private static final String GROUP_ANNOTATION =
      "metadata.annotations[kueue.x-k8s.io/pod-group-name]";
  private static final String COUNT = "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]";
  private static final String MANAGED = "metadata.labels[kueue.x-k8s.io/managed]";

  private static JsonNode pod() {
    return SampleJobs.of("pod");
  }

  private static JsonNode queued() {
    return labelled(pod(), Labels.QUEUE_NAME, "q");
  }

  private static List<String> gates(JsonNode pod) {
    return pod.at("/spec/schedulingGates").findValuesAsText("name");
  }

  private static JsonNode owned(JsonNode pod, String apiVersion, String kind) {
    return with(
        pod,
        "/metadata/ownerReferences",
        "[{'apiVersion':'%s','kind':'%s','name':'owner','uid':'u','controller':true}]"
            .formatted(apiVersion, kind));
  }

  @Test
  void podD07ToD11HoldBackAManagedPod() {
    JsonNode pod = EMPTY.created(queued());

    assertThat(gates(pod)).containsExactly(SchedulingGates.ADMISSION, SchedulingGates.TOPOLOGY);
    assertThat(pod.at("/metadata/finalizers").get(0).asText()).isEqualTo(Finalizers.MANAGED);
    assertThat(JobObject.of(pod).labelText(Labels.MANAGED)).isEqualTo("true");
    assertThat(JobObject.of(pod).annotationText(Annotations.ROLE_HASH)).hasSize(8);
  }

  @Test
  void podD07OverwritesWhatTheUserWrote() {
    JsonNode pod = EMPTY.created(labelled(queued(), Labels.MANAGED, "false"));

    assertThat(JobObject.of(pod).labelText(Labels.MANAGED)).isEqualTo("true");
  }

  @Test
  void podD08ToD11KeepWhatIsThere() {
    JsonNode pod =
        with(
            annotated(queued(), Annotations.ROLE_HASH, "mine"),
            "/spec/schedulingGates",
            "[{'name':'kueue.x-k8s.io/topology'},{'name':'example.com/own'}]");
    JsonNode created =
        EMPTY.created(with(pod, "/metadata/finalizers", "['kueue.x-k8s.io/managed']"));

    assertThat(gates(created))
        .containsExactly(SchedulingGates.TOPOLOGY, "example.com/own", SchedulingGates.ADMISSION);
    assertThat(created.at("/metadata/finalizers")).hasSize(1);
    assertThat(JobObject.of(created).annotationText(Annotations.ROLE_HASH)).isEqualTo("mine");
  }

  @Test
  void podD01HoldsBackAPodThatItsOwnerQueuesWithoutFinalizer() {
    JsonNode pod = annotated(pod(), Annotations.POD_SUSPENDING_PARENT, "deployment");

    for (JsonNode it : List.of(pod, with(pod, "/metadata/namespace", "'exempt'"))) {
      JsonNode created = EMPTY.withQueue("default").created(it);
      assertThat(gates(created))
          .containsExactly(SchedulingGates.ADMISSION, SchedulingGates.TOPOLOGY);
      assertThat(created.at("/metadata/finalizers").isMissingNode()).isTrue();
      assertThat(created.at("/metadata/labels").isMissingNode()).isTrue();
      assertThat(JobObject.of(created).annotationText(Annotations.ROLE_HASH)).hasSize(8);
    }
  }

  @Test
  void podD02LeavesPodsOfOtherNamespacesAlone() {
    JsonNode pod = with(queued(), "/metadata/namespace", "'exempt'");

    assertThat(EMPTY.managingAll().created(pod)).isEqualTo(pod);
  }

  private static String job(String labels) {
    return "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'owner','namespace':'ns',"
        + "'uid':'u','labels':"
        + labels
        + "}}";
  }

  @Test
  void podD04LeavesPodsOfManagedJobsAlone() {
    JsonNode pod = owned(queued(), "batch/v1", "Job");
    JobScene scene = EMPTY.with(job("{'kueue.x-k8s.io/queue-name':'q'}"));

    assertThat(scene.created(pod)).isEqualTo(pod);
    assertThat(gates(EMPTY.with(job("{}")).created(pod))).contains(SchedulingGates.ADMISSION);
  }

  @Test
  void podD04RefusesAPodWhoseOwnerIsNotThere() {
    JsonNode pod = owned(queued(), "batch/v1", "Job");
    JobScene scene = EMPTY.with(job("{}").replace("'owner'", "'other'"));

    assertThat(scene.creating(pod).failure().orElseThrow().code()).isEqualTo(404);
  }

  @Test
  void podD04NeverRefusesAPodThatIsNoneOfOursForItsOwner() {
    JsonNode pod = owned(pod(), "batch/v1", "Job");
    JobScene scene = EMPTY.withQueue("default").with(job("{}").replace("'owner'", "'other'"));

    assertThat(scene.created(pod)).isEqualTo(pod);
  }

  @Test
  void podD04WalksThroughReplicaSets() {
    JobScene scene =
        EMPTY.with(
            "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'owner',"
                + "'namespace':'ns','uid':'u','ownerReferences':[{'apiVersion':'apps/v1',"
                + "'kind':'Deployment','name':'d','uid':'u-d','controller':true}]}}",
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','namespace':'ns',"
                + "'uid':'u-d','labels':{'kueue.x-k8s.io/queue-name':'q'}}}");
    JsonNode pod = owned(queued(), "apps/v1", "ReplicaSet");

    assertThat(scene.created(pod)).isEqualTo(pod);
  }

  @ParameterizedTest(name = "POD-D05 OPP-79 owner {0}: queue {1}")
  @CsvSource(
      nullValues = "-",
      value = {"-,default", "DaemonSet,default", "Job,''"})
  void podD05SetsTheDefaultQueueOfPodsThatLead(@Nullable String owner, String expected) {
    JsonNode pod =
        owner == null ? pod() : owned(pod(), owner.equals("Job") ? "batch/v1" : "apps/v1", owner);
    JsonNode created = EMPTY.withQueue("default").with(job("{}")).created(pod);

    assertThat(JobObject.of(created).queueName()).isEqualTo(expected);
    assertThat(gates(created).isEmpty()).isEqualTo(expected.isEmpty());
  }

  @Test
  void podD06SetsThePriorityClassOfManagedPodsOnly() {
    JobScene scene = EMPTY.withPriorityClass("default");

    assertThat(JobObject.of(scene.created(queued())).labelText(Labels.PRIORITY_CLASS))
        .isEqualTo("default");
    assertThat(scene.created(labelled(pod(), "own", "x"))).isEqualTo(labelled(pod(), "own", "x"));
  }

  @ParameterizedTest(name = "POD-D10 index label {0}, its value {1}")
  @CsvSource(
      nullValues = "-",
      value = {"-,3,-", "own,3,3", "own,-,''"})
  void podD10CopiesTheIndex(
      @Nullable String named, @Nullable String value, @Nullable String expected) {
    JsonNode pod =
        annotated(labelled(queued(), "own", value), Annotations.POD_GROUP_POD_INDEX_LABEL, named);
    JsonNode label =
        EMPTY.created(pod).path("metadata").path("labels").path(Labels.POD_GROUP_POD_INDEX);

    assertThat(label.isMissingNode() ? null : label.asText()).isEqualTo(expected);
    assertThat(gates(EMPTY.without(FeatureGate.TOPOLOGY_AWARE_SCHEDULING).created(pod)))
        .containsExactly(SchedulingGates.ADMISSION);
  }

  @Test
  void opp51LeavesPodsAloneThatWouldNeverBeUngated() {
    JobScene implied = EMPTY.withFrameworks("deployment");

    assertThat(implied.created(queued())).isEqualTo(queued());
    assertThat(
            gates(
                implied.created(annotated(pod(), Annotations.POD_SUSPENDING_PARENT, "deployment"))))
        .contains(SchedulingGates.ADMISSION);
  }

  @ParameterizedTest(name = "REG-05 {0}")
  @CsvSource({"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
  void reg05ChecksPodsWhereOnlyTheirOwnersAreOn(String framework) {
    JsonNode pod = labelled(pod(), Labels.MANAGED, "no");

    assertThat(faults(EMPTY.withFrameworks(framework).onCreate(pod)))
        .containsExactly("FORBIDDEN " + MANAGED);
    assertThat(faults(EMPTY.withFrameworks("batch/job").onCreate(pod))).isEmpty();
  }

  @ParameterizedTest(name = "POD-03 managed: {0}")
  @CsvSource({"true,false", "false,true", "'',true"})
  void pod03RefusesAnotherMark(String value, boolean refused) {
    assertThat(faults(EMPTY.onCreate(labelled(pod(), Labels.MANAGED, value))))
        .isEqualTo(refused ? List.of("FORBIDDEN " + MANAGED) : List.of());
  }

  /** Group label, group annotation, total count, gate of annotations, faults. */
  static Stream<Arguments> groups() {
    return Stream.of(
        group("POD-04", null, null, "2", true, "REQUIRED " + GROUP_LABEL),
        group("POD-04", "", null, "2", true, "REQUIRED " + GROUP_LABEL),
        group("POD-04", null, null, "x", true, "REQUIRED " + GROUP_LABEL),
        group("POD-04", null, "g", "2", false, "REQUIRED " + GROUP_LABEL),
        group("POD-05", "g", null, null, true, "REQUIRED " + COUNT),
        group("POD-05", null, "g", null, true, "REQUIRED " + COUNT),
        group("POD-06", "Bad_Name", null, "2", true, "INVALID " + GROUP_LABEL),
        group("POD-06", "g", "Bad_Name", "2", true, "INVALID " + GROUP_ANNOTATION),
        group("POD-06", "g", "Bad_Name", "2", false),
        group(
            "POD-06 POD-05", "A", null, null, true, "INVALID " + GROUP_LABEL, "REQUIRED " + COUNT),
        group("POD-07", "g", null, "x", true, "INVALID " + COUNT),
        group("POD-07", "g", null, "0", true, "INVALID " + COUNT),
        group("POD-07", "g", null, "-1", true, "INVALID " + COUNT),
        group("POD-07", "g", null, "", true, "INVALID " + COUNT),
        group("POD-07", "g", null, "1", true),
        group("none", null, null, null, true));
  }

  private static Arguments group(
      String rule,
      @Nullable String label,
      @Nullable String annotation,
      @Nullable String count,
      boolean gate,
      String... faults) {
    return Arguments.of(rule, label, annotation, count, gate, List.of(faults));
  }

  @ParameterizedTest(name = "{0} label {1}, annotation {2}, count {3}, gate {4}")
  @MethodSource("groups")
  void checksGroups(
      String rule,
      @Nullable String label,
      @Nullable String annotation,
      @Nullable String count,
      boolean gate,
      List<String> expected) {
    JsonNode pod =
        annotated(
            annotated(
                labelled(queued(), Labels.POD_GROUP_NAME, label),
                Labels.POD_GROUP_NAME,
                annotation),
            Annotations.POD_GROUP_TOTAL_COUNT,
            count);
    JobScene scene = gate ? EMPTY : EMPTY.without(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);

    assertThat(faults(scene.onCreate(pod))).isEqualTo(expected);
    assertThat(faults(scene.onUpdate(pod, pod))).isEqualTo(expected);
  }

  private static JsonNode grouped(@Nullable String name) {
    return annotated(
        labelled(queued(), Labels.POD_GROUP_NAME, name),
        Annotations.POD_GROUP_TOTAL_COUNT,
        name == null ? null : "2");
  }

  @ParameterizedTest(name = "POD-09 group g, Workload {0}")
  @CsvSource({"g,false", "w,true"})
  void pod09WantsGroupAndWorkloadToHaveOneName(String workload, boolean refused) {
    JsonNode pod = labelled(grouped("g"), Labels.PREBUILT_WORKLOAD, workload);

    assertThat(faults(EMPTY.onCreate(pod)))
        .isEqualTo(
            refused
                ? List.of("INVALID metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]")
                : List.of());
  }

  @ParameterizedTest(name = "POD-10 {0} to {1}")
  @CsvSource(
      nullValues = "-",
      value = {"false,-,true", "false,true,true", "false,false,false", "-,false,false"})
  void pod10KeepsWhatCannotBeRetried(
      @Nullable String before, @Nullable String after, boolean refused) {
    assertThat(
            faults(
                EMPTY.onUpdate(
                    annotated(grouped("g"), Annotations.RETRIABLE_IN_GROUP, before),
                    annotated(grouped("g"), Annotations.RETRIABLE_IN_GROUP, after))))
        .isEqualTo(
            refused
                ? List.of("FORBIDDEN metadata.annotations[kueue.x-k8s.io/retriable-in-group]")
                : List.of());
  }

  @ParameterizedTest(name = "POD-11 {0} to {1}")
  @CsvSource(
      nullValues = "-",
      value = {"g,h,true", "g,-,true", "-,g,false", "g,g,false"})
  void pod11KeepsAPodInItsGroup(@Nullable String before, @Nullable String after, boolean refused) {
    assertThat(faults(EMPTY.onUpdate(grouped(before), grouped(after))))
        .isEqualTo(refused ? List.of("INVALID " + GROUP_LABEL) : List.of());
  }

  @Test
  void pod11LetsTheNameMoveToTheAnnotation() {
    JsonNode moved =
        annotated(labelled(grouped("g"), Labels.POD_GROUP_NAME, null), Labels.POD_GROUP_NAME, "g");

    assertThat(faults(EMPTY.onUpdate(grouped("g"), moved))).isEmpty();
  }

  @Test
  void pod12WarnsOfAMarkOnAPodWhoseOwnerIsQueued() {
    JsonNode pod = owned(labelled(pod(), Labels.MANAGED, "true"), "batch/v1", "Job");
    JsonNode byParent = annotated(pod, Annotations.POD_SUSPENDING_PARENT, "x");

    assertThat(EMPTY.onCreate(pod).warnings()).anyMatch(it -> it.startsWith(MANAGED));
    assertThat(EMPTY.onCreate(byParent).warnings()).anyMatch(it -> it.startsWith(MANAGED));
    assertThat(EMPTY.onUpdate(pod, pod).warnings()).anyMatch(it -> it.startsWith(MANAGED));
    assertThat(EMPTY.onUpdate(byParent, byParent).warnings()).isEmpty();
  }

  @Test
  void pod02HoldsAPodThatNeverWaitedToItsQueue() {
    assertThat(faults(EMPTY.onUpdate(pod(), queued())))
        .containsExactly("INVALID metadata.labels[kueue.x-k8s.io/queue-name]");
    JsonNode ended = with(pod(), "/status/phase", "'Succeeded'");
    assertThat(faults(EMPTY.onUpdate(ended, labelled(ended, Labels.QUEUE_NAME, "q")))).isEmpty();
  }

  @Test
  void opp53WarnsWhenTheMarkOfAWaitingPodIsRemoved() {
    JsonNode waiting = suspended(labelled(queued(), Labels.MANAGED, "true"), true);

    assertThat(EMPTY.onUpdate(waiting, labelled(waiting, Labels.MANAGED, null)).warnings())
        .anyMatch(it -> it.startsWith(MANAGED));
  }

  @Test
  void opp52WarnsOfAPodThatWaitsForAnOwnerItDoesNotHave() {
    JsonNode pod = annotated(pod(), Annotations.POD_SUSPENDING_PARENT, "deployment");

    assertThat(EMPTY.onCreate(pod).warnings()).hasSize(1);
    assertThat(EMPTY.onCreate(owned(pod, "apps/v1", "ReplicaSet")).warnings()).isEmpty();
  }

  private static JsonNode defaulted(String containers) {
    return json(
        "{'containers':"
            + containers
            + ",'priority':0,'tolerations':[{'key':'node.kubernetes.io/not-ready',"
            + "'operator':'Exists','effect':'NoExecute','tolerationSeconds':300},"
            + "{'key':'node.kubernetes.io/unreachable','operator':'Exists',"
            + "'effect':'NoExecute','tolerationSeconds':300}]}");
  }

  @ParameterizedTest(name = "role hash {0}")
  @CsvSource({"100m", "0.1", "100000u"})
  void podD11HashesAsKueueDoes(String cpu) {
    JsonNode spec =
        defaulted("[{'name':'c','image':'i','resources':{'requests':{'cpu':'" + cpu + "'}}}]");

    assertThat(PodShape.hash(spec)).isEqualTo("5949e52e");
  }

  @Test
  void podD11DoesNotHashNamesImagesAndVolumes() {
    JsonNode spec =
        defaulted(
            "[{'name':'other','image':'x:2','env':[{'name':'A','value':'b'}],"
                + "'resources':{'requests':{'cpu':'100m'},'limits':{}},'volumeMounts':[{'name':'v'}]}]");

    assertThat(PodShape.hash(with(json("{'spec':{}}"), "/spec", spec.toString()).path("spec")))
        .isEqualTo("5949e52e");
  }

  /** Worked out by hand from the text that is hashed: an affinity that is there, and empty. */
  @Test
  void podD11HashesAnAffinityThatIsEmpty() throws NoSuchAlgorithmException {
    JsonNode spec = defaulted("[{'name':'c','resources':{'requests':{'cpu':'100m'}}}]");
    String text =
        """
        {"spec":{"affinity":{},"containers":[{"ports":null,"resources":{"requests":{"cpu":"100m"}}}],\
        "initContainers":null,"nodeSelector":null,"overhead":null,"priority":0,\
        "resourceClaims":null,"runtimeClassName":null,"tolerations":[\
        {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",\
        "tolerationSeconds":300},\
        {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute",\
        "tolerationSeconds":300}],"topologySpreadConstraints":null}}\
        """;
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));

    assertThat(PodShape.hash(with(spec, "/affinity", "{}")))
        .isEqualTo(HexFormat.of().formatHex(hash, 0, 4));
  }
}
