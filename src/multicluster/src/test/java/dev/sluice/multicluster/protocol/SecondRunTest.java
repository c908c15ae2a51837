package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.at;
import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A worker was lost, and another one runs its job; then it is back, and says that the job has ended
 * there meanwhile.
 */
class SecondRunTest {
  private final Scene scene = new Scene("a", "b");

  @BeforeEach
  void endedOnOneAndRunningOnTheOther() {
    scene.runningAt("a");
    scene.evictedHere("lost");
    Trees.condition(scene.workload, "Evicted", false, "QuotaReserved");
    Trees.condition(scene.at("a").tree(), "Finished", true, "Succeeded");
    Trees.condition(scene.at("a").jobTree(), "Complete", true, "CompletionsReached");
    scene.chosen("b").runningAt("b");
    scene.job.withObjectProperty("spec").put("suspend", false);
  }

  @Test
  void theSecondRunStopsBeforeTheWorkloadIsFinishedAndItsQuotaFree() {
    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.FINISHED_THERE);
    assertThat(at(plan, "b")).containsExactly("patch Workload/status @3");
    assertThat(brief(plan.local())).isEmpty();

    ObjectNode copy = scene.at("b").tree();
    Trees.condition(copy, "DeactivationTarget", true, "EvictedOnManagerCluster");
    Trees.condition(copy, "Evicted", true, "Deactivated");
    Trees.condition(copy, "QuotaReserved", false, "Pending");
    Trees.condition(copy, "Admitted", false, "NoReservation");
    ObjectNode job = scene.at("b").jobTree();
    job.withObjectProperty("spec").put("suspend", true);
    job.withObjectProperty("status").put("active", 0).remove("startTime");

    Plan next = scene.plan();
    assertThat(brief(next.local())).contains("patch Workload/status @7");
    assertThat(at(next, "b")).containsExactly("delete Job b-j");
  }

  @Test
  void aSecondRunOutOfReachIsNotWaitedFor() {
    scene.at("b").lostFor(Duration.ofSeconds(5));

    assertThat(brief(scene.plan().local())).contains("patch Workload/status @7");
  }
}
