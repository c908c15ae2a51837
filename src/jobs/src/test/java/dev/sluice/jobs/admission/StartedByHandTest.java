package dev.sluice.jobs.admission;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Labels;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartedByHandTest {
  private static final JobScene SCENE = JobScene.EMPTY.withQueue("q");

  @ParameterizedTest(name = "{0} sets {1}, was {2}, in queue {3}")
  @CsvSource({
    "alice,                                                  false, true,  q,  true",
    "system:serviceaccount:kueue-system:kueue-controller,    false, true,  q,  false",
    "'',                                                     false, true,  q,  false",
    "alice,                                                  false, false, q,  false",
    "alice,                                                  true,  false, q,  false",
    "alice,                                                  false, true,  '', false",
  })
  void warnsWhenAUserStartsAQueuedJob( // OPP-75
      String user, boolean suspend, boolean before, String queue, boolean warned) {
    List<String> warnings =
        SCENE.onUpdateBy(user, job(queue, before), job(queue, suspend)).warnings();

    assertThat(warnings.stream().anyMatch(it -> it.startsWith("spec.suspend: its queue starts")))
        .isEqualTo(warned);
  }

  private static JsonNode job(String queue, boolean suspend) {
    return JobScene.labelled(
        json(
            ("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ns'},"
                    + "'spec':{'suspend':%s,'template':{'spec':{'containers':[]}}}}")
                .formatted(suspend)),
        Labels.QUEUE_NAME,
        queue.isEmpty() ? null : queue);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "alice,                                               true",
    "system:serviceaccount:kueue-system:kueue-controller, false",
  })
  void warnsWhenAUserRemovesTheGateOfAQueuedPod(String user, boolean warned) { // OPP-54
    List<String> warnings =
        SCENE.onUpdateBy(user, pod("{'name':'kueue.x-k8s.io/admission'}"), pod("")).warnings();

    assertThat(warnings.stream().anyMatch(it -> it.contains("taken away by hand")))
        .isEqualTo(warned);
  }

  private static JsonNode pod(String gates) {
    return json(
        ("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'ns','labels':{"
                + "'kueue.x-k8s.io/queue-name':'q','kueue.x-k8s.io/managed':'true'}},"
                + "'spec':{'schedulingGates':[%s],'containers':[]}}")
            .formatted(gates));
  }
}
