package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The Workload on a worker is seen finished, and the status of its job there is still an old one.
 */
class LastStatusTest {
  private static final Plan.Ask THE_JOB =
      new Plan.Ask("a", new GroupVersionKind("batch", "v1", "Job"), "ns", "j");

  private final Scene scene = new Scene("a", "b");
  private final ObjectNode job = scene.chosen("a").runningAt("a");

  LastStatusTest() {
    finished();
  }

  private void finished() {
    Trees.condition(
        scene.at("a").tree(), "Finished", true, "Succeeded", "done", "2026-11-24T09:59:00Z");
  }

  private Plan next(Duration later) {
    Plan before = scene.plan();
    scene.memory = before.memory();
    scene.now = scene.now.plus(later);
    return scene.plan();
  }

  @Test
  void theJobIsAskedForOnceAndNothingIsWrittenMeanwhile() {
    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.FINISHED_THERE);
    assertThat(plan.asks()).containsExactly(THE_JOB);
    assertThat(plan.local()).isEmpty();
    assertThat(plan.again()).contains(scene.now.plusSeconds(10));

    Plan again = next(Duration.ofSeconds(1));
    assertThat(again.asks()).isEmpty();
    assertThat(again.local()).isEmpty();
  }

  @Test
  void aJobThatNoListHasYetIsAskedForToo() {
    scene.at("a").jobs.put("j", Presence.unlisted());

    assertThat(scene.plan().asks()).containsExactly(THE_JOB);
    assertThat(scene.plan().local()).isEmpty();
  }

  @Test
  void theStatusThatComesIsWrittenBeforeTheEnd() {
    scene.memory = scene.plan().memory();
    Trees.condition(job, "Complete", true, "CompletionsReached");

    Plan plan = scene.plan();

    assertThat(brief(plan.local()))
        .containsExactly("patch Job/status @9", "patch Workload/status @7");
    assertThat(plan.local().getFirst().toString()).contains("CompletionsReached");
  }

  @Test
  void aJobThatIsGoneThereHasNoOtherStatus() {
    scene.memory = scene.plan().memory();
    scene.at("a").asked();

    assertThat(brief(scene.plan().local())).containsExactly("patch Workload/status @7");
  }

  @Test
  void itEndsAfterTenSecondsWithTheStatusThatIsKnown() {
    assertThat(brief(next(Duration.ofSeconds(10)).local())).contains("patch Workload/status @7");
  }

  @Test
  void aWorkerThatIsOutOfReachIsAwaitedUntilItIsLost() {
    scene.at("a").lostFor(Duration.ofSeconds(1));

    assertThat(next(Duration.ofSeconds(30)).local()).isEmpty();
    scene.now = scene.now.plus(Duration.ofDays(1));
    assertThat(brief(scene.plan().local())).contains("patch Workload/status @7");
  }

  @Test
  void anEndInALaterDispatchIsAwaitedAsLong() {
    Plan waited = next(Duration.ofSeconds(10));
    scene.memory = waited.memory();
    scene.at("a").tree().withObjectProperty("status").withArrayProperty("conditions").removeAll();
    scene.memory = scene.plan().memory();
    finished();

    assertThat(scene.plan().asks()).containsExactly(THE_JOB);
    assertThat(scene.plan().local()).isEmpty();
  }
}
