package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobWarningsTest {
  private static JsonNode job() {
    return SampleJobs.of("batch/job");
  }

  private static JsonNode queued(String queue) {
    return labelled(job(), Labels.QUEUE_NAME, queue);
  }

  @Test
  void opp76WarnsOfAQueueThatIsNotThere() {
    JobScene scene = EMPTY.withQueue("q");

    assertThat(scene.onCreate(queued("q")).warnings()).isEmpty();
    assertThat(scene.onCreate(queued("r")).warnings())
        .containsExactly(
            "metadata.labels[kueue.x-k8s.io/queue-name]: there is no LocalQueue \"r\" in namespace"
                + " \"ns\" yet; the job waits until there is");
    assertThat(scene.onUpdate(queued("r"), queued("r")).warnings()).isEmpty();
    assertThat(EMPTY.onCreate(queued("r")).warnings()).isEmpty();
  }

  @ParameterizedTest(name = "OPP-76 stopPolicy {0}")
  @CsvSource({"None,false", "Hold,true", "HoldAndDrain,true"})
  void opp76WarnsOfAQueueThatIsStopped(String policy, boolean warned) {
    JobScene scene =
        EMPTY.with(
            "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{'name':'q',"
                + "'namespace':'ns'},'spec':{'clusterQueue':'cq','stopPolicy':'"
                + policy
                + "'}}");

    assertThat(!scene.onCreate(queued("q")).warnings().isEmpty()).isEqualTo(warned);
  }

  @ParameterizedTest(name = "OPP-73 annotation {0}")
  @CsvSource({
    "kueue.x-k8s.io/elastic-jbo,did you mean kueue.x-k8s.io/elastic-job?",
    "kueue.x-k8s.io/podset-required-topolgy,did you mean kueue.x-k8s.io/podset-required-topology?",
    "kueue.x-k8s.io/queue-name,it is a label",
    "kueue.x-k8s.io/zzzzzzzz,is not known",
    "kueue.x-k8s.io/job-min-parallelism,''",
    "example.com/elastic-jbo,''"
  })
  void opp73WarnsOfUnknownKeys(String key, String expected) {
    JsonNode job = annotated(job(), key, "2");
    JsonNode inTemplate =
        with(job(), "/spec/template/metadata/annotations", "{'" + key + "':'rack'}");

    if (expected.isEmpty()) {
      assertThat(EMPTY.onCreate(job).warnings()).isEmpty();
    } else {
      assertThat(EMPTY.onCreate(job).warnings())
          .singleElement()
          .asString()
          .startsWith("metadata.annotations[" + key + "]: ")
          .contains(expected);
      assertThat(EMPTY.onCreate(inTemplate).warnings())
          .singleElement()
          .asString()
          .startsWith("spec.template.metadata.annotations[" + key + "]: ");
      assertThat(EMPTY.onUpdate(job, job).warnings()).isEmpty();
    }
  }

  @Test
  void opp73SaysWhatIsAnAnnotation() {
    assertThat(EMPTY.onCreate(labelled(job(), Annotations.ELASTIC_JOB, "true")).warnings())
        .isEqualTo(
            List.of(
                "metadata.labels[kueue.x-k8s.io/elastic-job]: has no effect here:"
                    + " it is an annotation"));
  }
}
