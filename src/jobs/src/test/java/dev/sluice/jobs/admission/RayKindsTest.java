package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.suspended;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static dev.sluice.rules.Reviews.faults;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** RAY-01 to RAY-06, RJ-01 to RJ-08, JU-11 and T-12. */
class RayKindsTest {
  private static final String QUEUE = "metadata.labels[kueue.x-k8s.io/queue-name]";

  private static JsonNode queued(String framework) {
    return labelled(SampleJobs.of(framework), Labels.QUEUE_NAME, "q");
  }

  private static JsonNode elastic(JsonNode job) {
    return annotated(job, Annotations.ELASTIC_JOB, "true");
  }

  /** Framework, where its cluster is, where that is reported. */
  static Stream<Arguments> clusters() {
    return Stream.of(
        Arguments.of("ray.io/raycluster", "/spec", "spec"),
        Arguments.of("ray.io/rayjob", "/spec/rayClusterSpec", "spec.rayClusterSpec"),
        Arguments.of("ray.io/rayservice", "/spec/rayClusterConfig", "spec.rayClusterSpec"));
  }

  @ParameterizedTest(name = "RAY-01 RJ-05 {0}")
  @MethodSource("clusters")
  void refusesAClusterThatScalesItselfUnlessElastic(String kind, String at, String path) {
    JsonNode scaling = with(queued(kind), at + "/enableInTreeAutoscaling", "true");
    List<String> refused = List.of("INVALID " + path + ".enableInTreeAutoscaling");

    assertThat(faults(EMPTY.onCreate(scaling))).isEqualTo(refused);
    assertThat(faults(EMPTY.onUpdate(scaling, scaling))).isEqualTo(refused);
    assertThat(faults(EMPTY.onCreate(EMPTY.created(elastic(scaling))))).isEmpty();
    assertThat(faults(EMPTY.onCreate(labelled(scaling, Labels.QUEUE_NAME, null)))).isEmpty();
    assertThat(faults(EMPTY.managingAll().onCreate(labelled(scaling, Labels.QUEUE_NAME, null))))
        .isEqualTo(refused);
  }

  @Test
  void ray02AndRay03WantTheGateInAllTemplates() {
    JsonNode cluster = elastic(queued("ray.io/raycluster"));

    assertThat(faults(EMPTY.onCreate(cluster)))
        .containsExactly(
            "INVALID spec.workerGroupSpecs[0].template.spec.schedulingGates",
            "INVALID spec.headGroupSpec.template.spec.schedulingGates");
    assertThat(faults(EMPTY.onCreate(EMPTY.created(cluster)))).isEmpty();
  }

  @Test
  void defEgHoldsBackThePodsOfElasticServicesButNotOfTasks() {
    JsonNode service = EMPTY.created(elastic(queued("ray.io/rayservice")));
    JsonNode task = EMPTY.created(elastic(queued("ray.io/rayjob")));

    assertThat(service.findValuesAsText("name")).contains(Annotations.ELASTIC_JOB);
    assertThat(service.findValues("schedulingGates")).hasSize(2);
    assertThat(task.findValues("schedulingGates")).isEmpty();
  }

  @Test
  void ray04RefusesAScalingClusterThatRunsElsewhere() {
    JsonNode cluster =
        with(
            EMPTY.created(elastic(queued("ray.io/raycluster"))),
            "/spec/enableInTreeAutoscaling",
            "true");

    assertThat(
            faults(EMPTY.onCreate(with(cluster, "/spec/managedBy", "'kueue.x-k8s.io/multikueue'"))))
        .containsExactly("FORBIDDEN spec.enableInTreeAutoscaling");
    assertThat(
            faults(EMPTY.onCreate(with(cluster, "/spec/managedBy", "'ray.io/kuberay-operator'"))))
        .isEmpty();
  }

  private static String groups(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'groupName':'g" + i + "','template':{}}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  @ParameterizedTest(name = "T-12 RAY-05 RJ-06 {0}")
  @MethodSource("clusters")
  void refusesMoreThan17Groups(String kind, String at, String path) {
    JsonNode most = with(queued(kind), at + "/workerGroupSpecs", groups(17));
    JsonNode more = with(queued(kind), at + "/workerGroupSpecs", groups(18));

    assertThat(faults(EMPTY.onCreate(most))).isEmpty();
    assertThat(faults(EMPTY.onCreate(more)))
        .containsExactly("TOO_MANY " + path + ".workerGroupSpecs");
    assertThat(EMPTY.onCreate(more).violations().getFirst().text()).contains(": Too many: 19: ");
    assertThat(faults(EMPTY.onCreate(labelled(more, Labels.QUEUE_NAME, null)))).isEmpty();
  }

  @Test
  void opp62WarnsOfATaskWhoseSubmitterIsOneTooMany() {
    JsonNode most =
        with(queued("ray.io/rayjob"), "/spec/rayClusterSpec/workerGroupSpecs", groups(17));

    assertThat(EMPTY.onCreate(most).warnings()).hasSize(1);
    assertThat(EMPTY.onCreate(with(most, "/spec/submissionMode", "'HTTPMode'")).warnings())
        .isEmpty();
  }

  @ParameterizedTest(name = "RAY-06 RJ-07 {0}")
  @MethodSource("clusters")
  void refusesAGroupThatIsCalledHead(String kind, String at, String path) {
    JsonNode job =
        with(queued(kind), at + "/workerGroupSpecs", "[{'groupName':'head','template':{}}]");

    assertThat(faults(EMPTY.onCreate(job)))
        .containsExactly("FORBIDDEN " + path + ".workerGroupSpecs[0].groupName");
  }

  @ParameterizedTest(name = "OPP-63 {0} and {1}")
  @CsvSource({"a,b,false", "a,A,true", "a,a_b,true", "a,submitter,true"})
  void opp63WarnsOfGroupsThatMakeNoPodSet(String first, String second, boolean warned) {
    JsonNode job =
        with(
            queued("ray.io/rayjob"),
            "/spec/rayClusterSpec/workerGroupSpecs",
            "[{'groupName':'" + first + "'},{'groupName':'" + second + "'}]");

    assertThat(!EMPTY.onCreate(job).warnings().isEmpty()).isEqualTo(warned);
  }

  private static JsonNode selecting(boolean hasCluster) {
    JsonNode job = with(queued("ray.io/rayjob"), "/spec/clusterSelector", "{'ray.io/cluster':'c'}");
    return hasCluster ? job : with(job, "/spec/rayClusterSpec", "null");
  }

  @Test
  void rj01RefusesATaskThatBothMakesAndSelectsACluster() {
    JsonNode job = with(selecting(true), "/spec/shutdownAfterJobFinishes", "false");

    assertThat(faults(EMPTY.onCreate(job))).containsExactly("INVALID spec.clusterSelector");
  }

  @Test
  void rj02AcceptsATaskForAnotherCluster() {
    JsonNode job = labelled(selecting(false), Labels.QUEUE_NAME, "Bad_Name");

    assertThat(faults(EMPTY.onCreate(job))).isEmpty();
  }

  @Test
  void opp64DoesNotSuspendATaskForAnotherCluster() {
    assertThat(EMPTY.created(selecting(false))).isEqualTo(selecting(false));
    assertThat(EMPTY.onCreate(selecting(false)).warnings()).hasSize(1);
  }

  @Test
  void opp64LeavesATaskForAnotherClusterToItsOperator() {
    JobScene scene =
        EMPTY
            .withQueue("q")
            .with(
                "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'AdmissionCheck','metadata':{"
                    + "'name':'far'},'spec':{'controllerName':'kueue.x-k8s.io/multikueue'}}",
                "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{"
                    + "'name':'cq'},'spec':{'admissionChecksStrategy':{'admissionChecks':["
                    + "{'name':'far'}]}}}");

    assertThat(scene.created(queued("ray.io/rayjob")).at("/spec/managedBy").isTextual()).isTrue();
    assertThat(scene.created(selecting(false))).isEqualTo(selecting(false));
  }

  @Test
  void rj03RefusesATaskWithoutCluster() {
    JsonNode job = with(queued("ray.io/rayjob"), "/spec/rayClusterSpec", "null");

    assertThat(faults(EMPTY.onCreate(job))).containsExactly("REQUIRED spec.rayClusterSpec");
    assertThat(faults(EMPTY.onCreate(labelled(job, Labels.QUEUE_NAME, null)))).isEmpty();
  }

  @ParameterizedTest(name = "RJ-04 {0}")
  @CsvSource({"false,true", "null,true", "true,false"})
  void rj04RefusesATaskThatKeepsItsCluster(String shutdown, boolean refused) {
    JsonNode job = with(queued("ray.io/rayjob"), "/spec/shutdownAfterJobFinishes", shutdown);

    assertThat(faults(EMPTY.onCreate(job)))
        .isEqualTo(refused ? List.of("INVALID spec.shutdownAfterJobFinishes") : List.of());
  }

  @Test
  void rj08AsksTasksThatAreNotManagedToo() {
    JsonNode job = labelled(SampleJobs.of("ray.io/rayjob"), Labels.MAX_EXEC_TIME, "x");

    assertThat(faults(EMPTY.onCreate(job)))
        .containsExactly("INVALID metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]");
  }

  @ParameterizedTest(name = "JU-11 {0}")
  @CsvSource({
    "ray.io/raycluster",
    "ray.io/rayjob",
    "ray.io/rayservice",
    "sparkoperator.k8s.io/sparkapplication"
  })
  void ju11LooksAtChangesOfManagedJobsOnly(String kind) {
    JsonNode plain = suspended(SampleJobs.of(kind), false);
    JsonNode queued = labelled(plain, Labels.QUEUE_NAME, "q");
    JsonNode faulty = labelled(plain, Labels.MAX_EXEC_TIME, "x");
    List<String> refused = List.of("INVALID " + QUEUE);

    assertThat(EMPTY.onUpdate(plain, faulty).refuse()).isFalse();
    assertThat(EMPTY.managingAll().onUpdate(plain, faulty).refuse()).isTrue();
    assertThat(faults(EMPTY.onUpdate(queued, plain))).isEqualTo(refused);
    assertThat(faults(EMPTY.onUpdate(plain, queued))).isEqualTo(refused);
    assertThat(
            EMPTY
                .without(FeatureGate.VALIDATE_RAY_AND_SPARK_JOB_UPDATES)
                .onUpdate(queued, plain)
                .refuse())
        .isFalse();
    assertThat(EMPTY.onUpdate(suspended(queued, true), suspended(plain, true)).refuse()).isFalse();
    assertThat(JobObject.of(plain).queueName()).isEmpty();
  }
}
