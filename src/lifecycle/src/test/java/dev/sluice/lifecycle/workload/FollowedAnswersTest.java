package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.Write;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is stored in the same write as the answer of an admission check. */
class FollowedAnswersTest extends LifeStory {
  private static final String WAITS =
      conditions(
              "QuotaReserved True QuotaReserved",
              "Admitted False UnsatisfiedAdmissionChecks The workload has not all checks ready")
          + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]},"
          + "\"nominatedClusterNames\":[\"w1\"],";

  @BeforeEach
  void aQueueWithTwoChecks() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
  }

  private static String answers(String a, String b) {
    return """
    "admissionChecks":[{"name":"a","state":"%s","message":"",
    "lastTransitionTime":"2026-11-21T12:00:00Z"},{"name":"b","state":"%s","message":"",
    "lastTransitionTime":"2026-11-21T12:00:00Z"}]\
    """
        .formatted(a, b);
  }

  private static ObjectNode stored(String a, String b) {
    Workload workload = workload("{" + WAITS + answers(a, b) + "}");
    return HubObjects.write(workload);
  }

  /** As the controller of MultiKueue answers: the cluster, and its check. */
  private static Write.MergePatch answer(JsonNode stored, String a, String b) {
    return new Write.MergePatch(
        StatusPatch.ref(HubObjects.read(Workload.class, stored)),
        "status",
        tree(
            "{\"status\":{\"clusterName\":\"w1\",\"nominatedClusterNames\":null,"
                + answers(a, b)
                + "}}"),
        "checks",
        "7");
  }

  private FollowedAnswers.Completed complete(JsonNode stored, Write write) {
    return new FollowedAnswers(new WorkloadReconciler(settings), dependencies())
        .complete(stored, write, leadsSince, now);
  }

  private static JsonNode applied(JsonNode stored, Write write) {
    return MergePatch.applied(stored, ((Write.MergePatch) write).patch());
  }

  @Test
  void theAnswerOfTheLastCheckAdmits() {
    JsonNode stored = stored("Ready", "Pending");
    Write.MergePatch answer = answer(stored, "Ready", "Ready");

    FollowedAnswers.Completed completed = complete(stored, answer);

    JsonNode after = applied(stored, completed.write());
    assertThat(Conditions.isTrue(after, "Admitted")).isTrue();
    assertThat(after.at("/status/clusterName").asText()).isEqualTo("w1");
    assertThat(after.path("status").has("nominatedClusterNames")).isFalse();
    assertThat(completed.events()).extracting(Write.Event::reason).containsExactly("Admitted");
    assertThat(completed.write())
        .isInstanceOfSatisfying(
            Write.MergePatch.class,
            it -> {
              assertThat(it.resourceVersion()).isEqualTo("7");
              assertThat(it.fieldManager()).isEqualTo("checks");
              assertThat(it.target()).isEqualTo(answer.target());
            });
  }

  /** Law: one write stores what the answer and the steps after it would have stored. */
  @ParameterizedTest
  @CsvSource({"Ready, Ready", "Ready, Pending", "Pending, Ready"})
  void theStatusIsThatOfWritesWhichAreStoredOneByOne(String a, String b) {
    JsonNode stored = stored("Pending", "Pending");
    Write.MergePatch answer = answer(stored, a, b);

    JsonNode after = applied(stored, complete(stored, answer).write());

    Workload one = HubObjects.read(Workload.class, after);
    Workload inTurn = live(HubObjects.read(Workload.class, applied(stored, answer)));
    assertThat(one.status()).isEqualTo(inTurn.status());
  }

  @ParameterizedTest
  @CsvSource({"Ready, Retry", "Rejected, Ready"})
  void anAnswerThatTakesTheQuotaBackIsStoredAsItIs(String a, String b) {
    JsonNode stored = stored("Ready", "Pending");
    Write.MergePatch answer = answer(stored, a, b);

    assertThat(complete(stored, answer)).isEqualTo(FollowedAnswers.Completed.alone(answer));
  }

  @Test
  void otherWritesAreAsTheyWere() {
    JsonNode stored = stored("Ready", "Ready");
    Write.MergePatch patch = answer(stored, "Ready", "Ready");
    Write.MergePatch ofTheObject =
        new Write.MergePatch(patch.target(), "", patch.patch(), "checks", "7");
    Write.MergePatch ofAnotherField =
        new Write.MergePatch(
            patch.target(), "status", tree("{\"status\":{\"clusterName\":\"w1\"}}"), "checks", "7");

    for (Write write : List.of(ofTheObject, ofAnotherField)) {
      assertThat(complete(stored, write)).isEqualTo(FollowedAnswers.Completed.alone(write));
    }
  }

  @Test
  void anAnswerThatMakesAWorkloadUnreadableIsStoredAsItIs() {
    JsonNode stored = stored("Ready", "Pending");
    Write.MergePatch answer =
        new Write.MergePatch(
            answer(stored, "Ready", "Ready").target(),
            "status",
            tree("{\"status\":{\"admissionChecks\":7}}"),
            "checks",
            "7");

    assertThat(complete(stored, answer)).isEqualTo(FollowedAnswers.Completed.alone(answer));
  }

  private static ObjectNode tree(String json) {
    try {
      return (ObjectNode) new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
