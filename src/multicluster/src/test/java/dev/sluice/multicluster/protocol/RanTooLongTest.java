package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The worker counts the execution time from an admission a moment before ours. */
class RanTooLongTest {
  private final Scene scene = new Scene("a", "b");

  @BeforeEach
  void theWorkerIsTheFirstToEndIt() {
    scene.chosen("a").runningAt("a");
    ObjectNode copy = scene.at("a").tree();
    copy.withObjectProperty("spec").put("active", false);
    Trees.condition(copy, "Evicted", true, "DeactivatedDueToMaximumExecutionTimeExceeded");
  }

  @Test
  void itIsDeactivatedHereAndNotOfferedAgain() {
    Plan plan = scene.plan();

    assertThat(scene.checkAfter(plan)).isEqualTo("unchanged");
    JsonNode target =
        Conditions.find(patched(plan), "DeactivationTarget").orElseThrow(AssertionError::new);
    assertThat(target.path("status").asText()).isEqualTo("True");
    assertThat(target.path("reason").asText()).isEqualTo("MaximumExecutionTimeExceeded");
    assertThat(target.path("message").asText())
        .isEqualTo("exceeding the maximum execution time on worker cluster \"a\"");
    assertThat(Conditions.isTrue(patched(plan), "QuotaReserved")).as("others stay").isTrue();
    assertThat(brief(plan.local())).containsExactly("patch Workload/status @7");
    assertThat(plan.local())
        .last()
        .isInstanceOfSatisfying(
            Write.Event.class, event -> assertThat(event.type()).isEqualTo("Warning"));
    assertThat(plan.remote()).doesNotContainKey("a");
  }

  @Test
  void thatIsSaidOnce() {
    Trees.condition(scene.workload, "DeactivationTarget", true, "MaximumExecutionTimeExceeded");

    assertThat(scene.plan().local()).isEmpty();
  }

  private static JsonNode patched(Plan plan) {
    return JsonNodeFactory.instance.objectNode().set("status", Scene.statusPatch(plan));
  }
}
