package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Labels;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that served requests in a queue, and are taken out of it. */
class NoLongerManagedTest {
  static Stream<String> kinds() {
    return SampleJobs.serving().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void opp77KeepTheTemplateThatTheyHad(String kind) {
    JsonNode managed =
        EMPTY.created(JobScene.labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q"));
    ObjectNode left = managed.deepCopy();
    left.withObject("/metadata/labels").remove(Labels.QUEUE_NAME);

    assertThat(EMPTY.changed(managed, left)).isEqualTo(left);
  }
}
