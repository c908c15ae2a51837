package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.Plan.State;
import dev.sluice.multicluster.protocol.Plan.Stop;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Evicted here: the quota stays until nothing runs anywhere. */
class EvictionTest {
  private final Scene scene = new Scene("a", "b");

  private ObjectNode stoppedAt(String cluster) {
    ObjectNode copy = scene.at(cluster).tree();
    Trees.condition(
        copy,
        "DeactivationTarget",
        true,
        "EvictedOnManagerCluster",
        "",
        Scene.NOW.minusSeconds(1).toString());
    copy.withObjectProperty("spec").put("active", false);
    Trees.condition(copy, "Evicted", true, "Deactivated");
    Trees.condition(copy, "QuotaReserved", false, "Pending");
    ObjectNode job = scene.at(cluster).jobTree();
    job.withObjectProperty("spec").put("suspend", true);
    job.withObjectProperty("status").put("active", 0).remove("startTime");
    return copy;
  }

  @Test
  void theWorkerIsToldToStopAndWhy() {
    scene.runningAt("a");
    scene.evictedHere("preempted by a higher one");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.EVICTING);
    assertThat(plan.stop()).isEqualTo(Stop.MAY_RUN);
    assertThat(at(plan, "a")).containsExactly("patch Workload/status @3");
    JsonNode patch = ((Write.MergePatch) Scene.first(plan, "a")).patch();
    assertThat(patch.at("/status/conditions"))
        .hasSize(3)
        .last()
        .satisfies(
            it -> {
              assertThat(it.path("type").asText()).isEqualTo("DeactivationTarget");
              assertThat(it.path("reason").asText()).isEqualTo("EvictedOnManagerCluster");
              assertThat(it.path("message").asText())
                  .isEqualTo("Evicted on manager: preempted by a higher one");
            });
  }

  @Test
  void aStopIsCertainOnceTheCopyIsDeactivatedWithoutQuotaAndItsJobHasNoPods() {
    scene.runningAt("a");
    scene.evictedHere("x");
    stoppedAt("a");

    assertThat(scene.plan().stop()).isEqualTo(Stop.CERTAIN);
    scene.at("a").jobTree().withObjectProperty("status").put("terminating", 1);
    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);
  }

  /** This process chose "a" and has sent nothing to "b", which was lost meanwhile. */
  @Test
  void aWorkerOutOfReachThatWasNeverSentTheJobIsNotWaitedFor() {
    scene.runningAt("a");
    String uid = scene.workload.at("/metadata/uid").asText();
    scene.ownOffer = Optional.of(new OwnOffer(uid, 0, true, Set.of("a")));
    scene.evictedHere("x");
    stoppedAt("a");
    scene.at("b").link = new Link.Lost(Scene.NOW.minusSeconds(60), "refused", Optional.empty());

    assertThat(scene.plan().stop()).isEqualTo(Stop.CERTAIN);

    scene.ownOffer = Optional.of(new OwnOffer(uid, 0, true, Set.of("a", "b")));
    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);
    scene.ownOffer = Optional.of(new OwnOffer(uid, 0, false, Set.of("a")));
    assertThat(scene.plan().stop()).as("an earlier process may have").isEqualTo(Stop.MAY_RUN);
  }

  /** The worker removes the condition that asked for it when it evicts. */
  @Test
  void aStopIsAskedForOnceThoughThePodsTakeTheirTime() {
    scene.runningAt("a");
    scene.evictedHere("x");
    ObjectNode copy = stoppedAt("a");
    Trees.condition(copy, "DeactivationTarget", false, "Evicted");
    Trees.condition(copy, "QuotaReserved", true, "QuotaReserved");
    Trees.condition(
        copy, "Evicted", true, "Deactivated", "", Scene.NOW.minusSeconds(10).toString());
    scene.at("a").jobTree().withObjectProperty("status").put("terminating", 1);

    Plan plan = scene.plan();

    assertThat(plan.stop()).isEqualTo(Stop.MAY_RUN);
    assertThat(plan.remote()).isEmpty();
    assertThat(plan.again()).contains(Scene.NOW.plusSeconds(50));
  }

  @Test
  void aCopyThatWasOnlyPreemptedThereCouldBeAdmittedAgain() {
    scene.runningAt("a");
    scene.evictedHere("x");
    stoppedAt("a").withObjectProperty("spec").put("active", true);

    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);
  }

  @Test
  void whatVanishedIsAskedForAndThenCertain() {
    scene.evictedHere("x");
    scene.at("a").jobs.clear();

    Plan plan = scene.plan();
    assertThat(plan.stop()).isEqualTo(Stop.MAY_RUN);
    assertThat(plan.asks()).containsExactly(new Plan.Ask("a", Scene.JOB, "ns", "j"));

    scene.at("a").asked();
    assertThat(scene.plan().stop()).isEqualTo(Stop.CERTAIN);
  }

  @Test
  void aWorkerOutOfReachHoldsTheQuotaUntilItIsLost() {
    scene.runningAt("a");
    scene.evictedHere("x");
    scene.at("a").lostFor(Scene.LOST_AFTER.minus(Duration.ofMinutes(1)));

    Plan plan = scene.plan();
    assertThat(plan.stop()).isEqualTo(Stop.MAY_RUN);
    assertThat(plan.again()).contains(Scene.NOW.plus(Duration.ofMinutes(1)));

    scene.at("a").lostFor(Scene.LOST_AFTER);
    assertThat(scene.plan().stop()).isEqualTo(Stop.CERTAIN);
  }

  @Test
  void nothingIsCertainOfAWorkerThatIsStillListing() {
    scene.evictedHere("x");
    scene.at("a").link = new Link.Connected(false);
    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);
    scene.at("a").link = new Link.Connecting();
    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);
  }

  @Test
  void aJobThatEndedBeforeItWasStoppedIsFinished() {
    scene.runningAt("a");
    scene.evictedHere("x");
    Trees.condition(scene.at("a").tree(), "Finished", true, "Succeeded");

    assertThat(scene.plan().state()).isEqualTo(State.FINISHED_THERE);
  }

  @Test
  void whileTheCheckIsRejectedOrToBeRetriedTheSchedulerActs() {
    scene.nominated("a").copyAt("a");
    scene.checkState().put("state", "Rejected");
    assertThat(scene.plan().isAtRest()).isTrue();
    scene.checkState().put("state", "Retry");
    assertThat(scene.plan().isAtRest()).isTrue();
  }
}
