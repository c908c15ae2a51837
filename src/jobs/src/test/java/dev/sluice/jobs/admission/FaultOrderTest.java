package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several faults of one job are told in the order of Kueue's rules, by which clients that quote
 * only the beginning of a message know it.
 */
class FaultOrderTest {
  private static final String QUEUE = "metadata.labels[kueue.x-k8s.io/queue-name]";
  private static final String MAX_TIME = "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]";
  private static final String PRIORITY = "metadata.labels[kueue.x-k8s.io/priority-class]";
  private static final String GATED = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
  private static final String ELASTIC = "metadata.annotations[kueue.x-k8s.io/elastic-job]";
  private static final String MIN = "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]";
  private static final String NOT_A_NUMBER = "{'kueue.x-k8s.io/podset-slice-size':'x'}";
  private static final String TOO_LARGE =
      "{'kueue.x-k8s.io/podset-slice-required-topology':'rack',"
          + "'kueue.x-k8s.io/podset-slice-size':'100'}";
  private static final String ALONE =
      "{'kueue.x-k8s.io/podset-group-name':'g','kueue.x-k8s.io/podset-required-topology':'rack'}";
  private static final String LAYERS = "kueue.x-k8s.io/podset-slice-required-topology-constraints";

  /** The fields of all faults; each once where several follow each other. */
  private static List<String> fields(ValidationResult findings) {
    List<String> fields = findings.violations().stream().map(FieldError::field).toList();
    return IntStream.range(0, fields.size())
        .filter(i -> i == 0 || !fields.get(i).equals(fields.get(i - 1)))
        .mapToObj(fields::get)
        .toList();
  }

  private static JsonNode with(JsonNode object, String pointer, String value) {
    ObjectNode copy = object.deepCopy();
    int last = pointer.lastIndexOf('/');
    copy.withObject(pointer.substring(0, last)).set(pointer.substring(last + 1), json(value));
    return copy;
  }

  /** Faults that jobs of all kinds can have. */
  private static JsonNode faulty(JsonNode job) {
    JsonNode labelled =
        labelled(labelled(job, Labels.QUEUE_NAME, "Bad_Name"), Labels.MAX_EXEC_TIME, "x");
    return annotated(labelled, Annotations.ADMISSION_GATED_BY, "no-slash");
  }

  private static JsonNode running(String framework) {
    return labelled(
        labelled(SampleJobs.of(framework), Labels.QUEUE_NAME, "q"), Labels.PRIORITY_CLASS, "high");
  }

  @Test
  void ofANewJob() {
    JsonNode job = faulty(SampleJobs.of("batch/job"));
    job = annotated(job, Annotations.JOB_MIN_PARALLELISM, "x");
    job = with(job, "/spec/template/metadata/annotations", NOT_A_NUMBER);

    assertThat(fields(EMPTY.onCreate(job)))
        .containsExactly(
            QUEUE,
            MAX_TIME,
            GATED,
            MIN,
            "spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void ofAChangedJobItsChangesComeBeforeItsTopology() {
    JsonNode old = running("batch/job");
    JsonNode job = labelled(old, Labels.PRIORITY_CLASS, null);
    job = annotated(job, Annotations.JOB_MIN_PARALLELISM, "x");
    job = with(job, "/spec/template/metadata/annotations", NOT_A_NUMBER);

    assertThat(fields(EMPTY.onUpdate(old, job)))
        .containsExactly(
            MIN, PRIORITY, "spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void ofAChangedJobSetItsChangesComeFirst() {
    JsonNode old = running("jobset.x-k8s.io/jobset");
    JsonNode job = labelled(old, Labels.PRIORITY_CLASS, null);
    job = annotated(job, Annotations.ELASTIC_JOB, "true");
    job =
        with(
            labelled(job, Labels.MAX_EXEC_TIME, "x"),
            "/spec/replicatedJobs",
            "[{'name':'work','template':{'spec':{'template':{'metadata':{'annotations':"
                + NOT_A_NUMBER
                + "}}}}}]");

    assertThat(fields(EMPTY.onUpdate(old, job)))
        .containsExactly(
            MAX_TIME,
            PRIORITY,
            ELASTIC,
            MAX_TIME,
            ELASTIC,
            "spec.replicatedJobs[0].template.spec.template.metadata.annotations"
                + "[kueue.x-k8s.io/podset-slice-size]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ray.io/raycluster", "ray.io/rayservice"})
  void ofARayClusterItsOwnFaultsComeFirst(String framework) {
    String spec = framework.endsWith("service") ? "/spec/rayClusterConfig" : "/spec";
    String path = framework.endsWith("service") ? "spec.rayClusterSpec" : "spec";
    JsonNode job =
        with(faulty(SampleJobs.of(framework)), spec + "/enableInTreeAutoscaling", "true");

    assertThat(fields(EMPTY.onCreate(job)))
        .containsExactly(path + ".enableInTreeAutoscaling", QUEUE, MAX_TIME, GATED);
  }

  @Test
  void ofARayClusterGroupsComeBetweenPlacesAndSizes() {
    JsonNode job = labelled(SampleJobs.of("ray.io/raycluster"), Labels.QUEUE_NAME, "q");
    job = with(job, "/spec/headGroupSpec/template/metadata/annotations", TOO_LARGE);
    job =
        with(
            job,
            "/spec/workerGroupSpecs",
            "[{'groupName':'a','template':{'metadata':{'annotations':"
                + ALONE
                + "}}},{'groupName':'b','template':{'metadata':{'annotations':"
                + NOT_A_NUMBER
                + "}}}]");

    assertThat(fields(EMPTY.onCreate(job)))
        .containsExactly(
            "spec.workerGroupSpecs[1].template.metadata.annotations"
                + "[kueue.x-k8s.io/podset-slice-size]",
            "spec.workerGroupSpecs[0].template.metadata.annotations"
                + "[kueue.x-k8s.io/podset-group-name]",
            "spec.headGroupSpec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void ofASparkApplicationItsOwnFaultsComeFirst() {
    JsonNode job =
        with(
            faulty(SampleJobs.of("sparkoperator.k8s.io/sparkapplication")),
            "/spec/mode",
            "'client'");

    assertThat(fields(EMPTY.onCreate(job))).containsExactly("spec.mode", QUEUE, MAX_TIME, GATED);
  }

  @Test
  void ofALeaderWorkerSetItsReplicasComeBeforeItsGateAndItsTopologyLast() {
    JsonNode set = faulty(SampleJobs.of("leaderworkerset.x-k8s.io/leaderworkerset"));
    set = with(set, "/spec/replicas", "-1");
    set = with(set, "/spec/leaderWorkerTemplate/workerTemplate/metadata/annotations", NOT_A_NUMBER);

    assertThat(fields(EMPTY.onCreate(set)))
        .containsExactly(
            QUEUE,
            "spec.replicas",
            GATED,
            "spec.leaderWorkerTemplate.workerTemplate.metadata.annotations"
                + "[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void ofALeaderWorkerSetThatChangesTheGateComesAfterQueueAndPriority() {
    JsonNode old = running("leaderworkerset.x-k8s.io/leaderworkerset");
    JsonNode set =
        annotated(
            labelled(labelled(old, Labels.QUEUE_NAME, null), Labels.PRIORITY_CLASS, null),
            Annotations.ADMISSION_GATED_BY,
            "a.b/c");

    assertThat(fields(EMPTY.onUpdate(old, set))).containsExactly(QUEUE, PRIORITY, GATED);
  }

  @Test
  void ofAKubeflowJobThatChangesItsChangesComeBeforeItsTopology() {
    JsonNode old = running("kubeflow.org/jaxjob");
    JsonNode job =
        with(
            labelled(old, Labels.PRIORITY_CLASS, null),
            "/spec/jaxReplicaSpecs/Worker/template/metadata/annotations",
            NOT_A_NUMBER);

    assertThat(fields(EMPTY.onUpdate(old, job)))
        .containsExactly(
            PRIORITY,
            "spec.jaxReplicaSpecs[Worker].template.metadata.annotations"
                + "[kueue.x-k8s.io/podset-slice-size]");
  }

  @Test
  void ofSlicesWithLayers() {
    JsonNode pod = annotated(SampleJobs.of("pod"), Annotations.POD_SET_GROUP_NAME, "g");
    pod = annotated(pod, Annotations.SLICE_SIZE, "2");
    pod =
        annotated(
            pod,
            LAYERS,
            "[{\"topology\":\"rack\",\"size\":8},{\"topology\":\"rack\",\"size\":3},"
                + "{\"topology\":\"\",\"size\":0}]");
    String at = "metadata.annotations[" + LAYERS + "]";
    String group = "metadata.annotations[kueue.x-k8s.io/podset-group-name]";

    assertThat(fields(EMPTY.onCreate(pod)))
        .containsExactly(
            group,
            "metadata.annotations[kueue.x-k8s.io/podset-slice-size]",
            at,
            group,
            at + "[1].topology",
            at + "[2].topology",
            at + "[2].size",
            at + "[1].size");
  }

  @Test
  void ofAPodInAGroup() {
    JsonNode pod = faulty(SampleJobs.of("pod"));
    pod = labelled(labelled(pod, Labels.MANAGED, "no"), Labels.POD_GROUP_NAME, "Bad_Group");
    pod = annotated(pod, Annotations.POD_GROUP_TOTAL_COUNT, "0");
    pod = annotated(pod, Annotations.SLICE_SIZE, "x");

    assertThat(fields(EMPTY.onCreate(pod)))
        .containsExactly(
            QUEUE,
            MAX_TIME,
            GATED,
            "metadata.labels[kueue.x-k8s.io/managed]",
            "metadata.labels[kueue.x-k8s.io/pod-group-name]",
            "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]",
            "metadata.annotations[kueue.x-k8s.io/podset-slice-size]");
  }
}
