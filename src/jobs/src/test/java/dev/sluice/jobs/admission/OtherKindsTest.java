package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JobSet, MPIJob, SparkApplication, TrainJob, AppWrapper and the Kubeflow jobs. */
class OtherKindsTest {
  private static final String TRAIN = "trainer.kubeflow.org/trainjob";
  private static final String SPARK = "sparkoperator.k8s.io/sparkapplication";
  private static final String WRAPPER = "workload.codeflare.dev/appwrapper";
  private static final String MPI = "kubeflow.org/mpijob";
  private static final String SLICES =
      "{'kueue.x-k8s.io/podset-slice-required-topology':'a','kueue.x-k8s.io/podset-slice-size':'%d'}";

  private static JsonNode queued(String framework) {
    return labelled(SampleJobs.of(framework), Labels.QUEUE_NAME, "q");
  }

  private static String list(int count, String item) {
    return IntStream.range(0, count)
        .mapToObj(i -> item.formatted(i))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @ParameterizedTest(name = "OPP-61 {0} Jobs")
  @CsvSource({"18,false", "19,true"})
  void opp61WarnsOfAJobSetThatNoWorkloadCanHold(int count, boolean warned) {
    JsonNode job =
        with(
            queued("jobset.x-k8s.io/jobset"),
            "/spec/replicatedJobs",
            list(count, "{'name':'j%d'}"));

    assertThat(EMPTY.onCreate(job).refuse()).isFalse();
    assertThat(!EMPTY.onCreate(job).warnings().isEmpty()).isEqualTo(warned);
  }

  @ParameterizedTest(name = "OPP-61 {0} Pod sets of an AppWrapper")
  @CsvSource({"18,false", "19,true"})
  void opp61WarnsOfAnAppWrapperThatNoWorkloadCanHold(int count, boolean warned) {
    JsonNode job =
        with(queued(WRAPPER), "/spec/components", list(count, "{'podSets':[{'path':'x%d'}]}"));

    assertThat(!EMPTY.onCreate(job).warnings().isEmpty()).isEqualTo(warned);
  }

  @Test
  void opp60WarnsOfPlacesThatAnAppWrapperAsksForInVain() {
    JsonNode job =
        with(
            queued(WRAPPER),
            "/spec/components/0/template/spec/template/metadata/annotations",
            SLICES.formatted(3));

    assertThat(EMPTY.onCreate(job).refuse()).isFalse();
    assertThat(EMPTY.onCreate(job).warnings())
        .singleElement()
        .asString()
        .startsWith("spec.components[0].template.spec.template.metadata.annotations");
    assertThat(EMPTY.onCreate(with(job, "/metadata/name", "'" + "n".repeat(62) + "'")).warnings())
        .hasSize(2);
  }

  @Test
  void opp70WarnsOfAGroupInAKubeflowJob() {
    JsonNode job =
        with(
            queued("kubeflow.org/jaxjob"),
            "/spec/jaxReplicaSpecs/Worker/template/metadata/annotations",
            "{'kueue.x-k8s.io/podset-group-name':'g',"
                + "'kueue.x-k8s.io/podset-required-topology':'rack'}");

    assertThat(EMPTY.onCreate(job).refuse()).isFalse();
    assertThat(EMPTY.onCreate(job).warnings()).hasSize(1);
  }

  @ParameterizedTest(name = "MPI-D02 {0}")
  @CsvSource({"plain,false", "asWorker,true", "grouped,false", "noLauncher,false"})
  void mpiD02CountsWorkersFromOne(String what, boolean expected) {
    JsonNode job = SampleJobs.of(MPI);
    job = what.equals("plain") ? job : with(job, "/spec/runLauncherAsWorker", "true");
    if (what.equals("grouped")) {
      job =
          with(
              job,
              "/spec/mpiReplicaSpecs/Launcher/template/metadata/annotations",
              "{'kueue.x-k8s.io/podset-group-name':'g'}");
    }
    job = what.equals("noLauncher") ? with(job, "/spec/mpiReplicaSpecs/Launcher", "null") : job;

    assertThat(
            EMPTY
                .created(job)
                .at("/spec/mpiReplicaSpecs/Worker/template/metadata/annotations")
                .has(Annotations.POD_INDEX_OFFSET))
        .isEqualTo(expected);
    assertThat(EMPTY.without(FeatureGate.TOPOLOGY_AWARE_SCHEDULING).created(job)).isEqualTo(job);
  }

  @Test
  void mpi01ReportsFaultsInTheOrderOfTheirFields() {
    JsonNode job = labelled(SampleJobs.of(MPI), Labels.QUEUE_NAME, "Bad_Name");
    job = annotated(labelled(job, Labels.MAX_EXEC_TIME, "x"), Annotations.ELASTIC_JOB, "true");

    assertThat(faults(EMPTY.onCreate(job)))
        .containsExactly(
            "FORBIDDEN metadata.annotations[kueue.x-k8s.io/elastic-job]",
            "INVALID metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]",
            "INVALID metadata.labels[kueue.x-k8s.io/queue-name]");
  }

  @ParameterizedTest(name = "SP-01 {0}")
  @CsvSource({"'cluster',false", "'client',true", "null,true"})
  void sp01WantsClusterMode(String mode, boolean refused) {
    String value = mode.equals("null") ? "null" : "'" + mode.replace("'", "") + "'";
    JsonNode job = with(queued(SPARK), "/spec/mode", value);

    assertThat(faults(EMPTY.onCreate(job)))
        .isEqualTo(refused ? List.of("INVALID spec.mode") : List.of());
    assertThat(faults(EMPTY.onCreate(labelled(job, Labels.QUEUE_NAME, null)))).isEmpty();
  }

  @Test
  void sp02AndSp03RefuseApplicationsThatScale() {
    JsonNode job = with(queued(SPARK), "/spec/dynamicAllocation", "{'enabled':true}");

    assertThat(faults(EMPTY.onCreate(job)))
        .containsExactly("INVALID spec.dynamicAllocation.enabled");
    assertThat(faults(EMPTY.onCreate(annotated(job, Annotations.ELASTIC_JOB, "true"))))
        .containsExactly("FORBIDDEN metadata.annotations[kueue.x-k8s.io/elastic-job]");
  }

  @Test
  void sp05ReadsAnnotationsOfDriverAndExecutor() {
    JsonNode job = with(queued(SPARK), "/spec/driver/annotations", SLICES.formatted(2));
    job = with(job, "/spec/executor/annotations", SLICES.formatted(5));

    assertThat(faults(EMPTY.onCreate(job)))
        .containsExactly(
            "INVALID spec.driver.annotations[kueue.x-k8s.io/podset-slice-size]",
            "INVALID spec.executor.annotations[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void sparkIsOffUnlessItsFeatureIsOn() {
    JsonNode job = with(queued(SPARK), "/spec/mode", "'client'");

    assertThat(EMPTY.without(FeatureGate.SPARK_APPLICATION_INTEGRATION).onCreate(job).refuse())
        .isFalse();
  }

  @Test
  void opp68TrjD02AddsTheEntryForDecisionsOnceAndOnlyToManagedJobs() {
    JsonNode job = EMPTY.created(queued(TRAIN));

    assertThat(job.at("/spec/runtimePatches"))
        .isEqualTo(
            json(
                "[{'manager':'kueue.x-k8s.io/manager',"
                    + "'trainingRuntimeSpec':{'template':{'spec':{}}}}]"));
    assertThat(EMPTY.created(job)).isEqualTo(job);
    assertThat(EMPTY.created(SampleJobs.of(TRAIN))).isEqualTo(SampleJobs.of(TRAIN));
    JsonNode other = with(queued(TRAIN), "/spec/runtimePatches", "[{'manager':'example.com/a'}]");
    assertThat(EMPTY.created(other).at("/spec/runtimePatches").findValuesAsText("manager"))
        .containsExactly("example.com/a", "kueue.x-k8s.io/manager");
  }

  private static String runtime(int parallelism, String annotations) {
    return ("{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',"
            + "'metadata':{'name':'torch'},'spec':{'template':{'spec':{'replicatedJobs':[{"
            + "'name':'Node','template':{'metadata':{'labels':{"
            + "'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},'spec':{'parallelism':%d,"
            + "'template':{'metadata':{'annotations':%s}}}}}]}}}}")
        .formatted(parallelism, annotations);
  }

  @Test
  void trj01ReadsTheTemplatesOfTheRuntime() {
    JobScene scene = EMPTY.with(runtime(2, SLICES.formatted(3)));

    assertThat(faults(scene.onCreate(queued(TRAIN))))
        .containsExactly("INVALID job[node].annotations[kueue.x-k8s.io/podset-slice-size]");
    assertThat(faults(scene.onCreate(with(queued(TRAIN), "/spec/trainer", "{'numNodes':3}"))))
        .isEmpty();
  }

  @Test
  void trj01ReadsThePatchesOfTheRuntime() {
    JsonNode job =
        with(
            queued(TRAIN),
            "/spec/runtimePatches",
            "[{'manager':'m','trainingRuntimeSpec':{'template':{'spec':{'replicatedJobs':[{"
                + "'name':'node','template':{'spec':{'template':{'metadata':{'annotations':{"
                + "'kueue.x-k8s.io/podset-slice-size':'2'}}}}}}]}}}}]");

    assertThat(faults(EMPTY.with(runtime(2, SLICES.formatted(3))).onCreate(job))).isEmpty();
  }

  @Test
  void opp69WarnsOfManagedJobsWhoseRuntimeIsNotThere() {
    JobScene scene = EMPTY.with(runtime(1, "{}").replace("'torch'", "'other'"));

    assertThat(faults(scene.onCreate(queued(TRAIN)))).isEmpty();
    assertThat(scene.onCreate(queued(TRAIN)).warnings())
        .containsExactly(
            "spec.runtimeRef: there is no ClusterTrainingRuntime \"torch\" yet; the job waits until"
                + " there is");
    assertThat(scene.onCreate(SampleJobs.of(TRAIN)).warnings()).isEmpty();
    assertThat(EMPTY.onCreate(queued(TRAIN)).warnings()).isEmpty();
  }

  @Test
  void trj01RefusesARuntimeOfAnotherKind() {
    JsonNode strange =
        with(queued(TRAIN), "/spec/runtimeRef", "{'apiGroup':'a.b','kind':'X','name':'torch'}");
    assertThat(faults(EMPTY.onCreate(strange))).containsExactly("INVALID spec.runtimeRef");
  }
}
