package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.at;
import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.protocol.Plan.State;
import dev.sluice.multicluster.protocol.Plan.Stop;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slice of an elastic Job that has grown from one Pod to three, while it runs on worker a. */
class SliceTest {
  private static final String REPLACES = "kueue.x-k8s.io/workload-slice-replacement-for";
  private static final String NAMES = "kueue.x-k8s.io/prebuilt-workload-name";

  private final Scene scene = new Scene("a", "b");
  private final ObjectNode earlier;

  SliceTest() {
    scene.job.withObject("/metadata/annotations").put("kueue.x-k8s.io/elastic-job", "true");
    scene.job.withObject("/spec").put("suspend", false).remove("completions");
    scene
        .workload
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/workload-slice-name", "s1");
    earlier = scene.workload.deepCopy();
    earlier.withObject("/metadata").put("name", "s1").put("uid", "s1-uid");
    scene.workload.withObject("/metadata/annotations").put(REPLACES, "ns/s1");
    scene.constraint = new PlacementConstraint.TakeOver("a", Set.of("s1"));
    runsForTheEarlier();
  }

  private ObjectNode runsForTheEarlier() {
    ObjectNode copy =
        new JobCopies(Scene.US, true).of(Scene.REMOTE.orElseThrow(), scene.job, earlier);
    copy.withObject("/metadata").put("uid", "a-j").put("resourceVersion", "4");
    copy.withObject("/spec").put("suspend", false).put("parallelism", 1);
    copy.withObject("/status").put("active", 1).put("startTime", "2026-11-24T09:30:00Z");
    scene.at("a").jobs.put("j", new Presence.Present(copy));
    return copy;
  }

  private static JsonNode patch(Plan plan) {
    return ((Write.MergePatch) Scene.first(plan, "a")).patch();
  }

  private static boolean givesTheJob(Plan plan) {
    return at(plan, "a").contains("patch Job @4");
  }

  @Test
  void itIsNominatedOnlyWhereTheJobRuns() {
    Plan plan = scene.plan();

    assertThat(Scene.statusPatch(plan).path("nominatedClusterNames").toString())
        .isEqualTo("[\"a\"]");
  }

  @Test
  void itsCopyReplacesTheSliceThatHasTheJobThere() {
    scene.workload.withObject("/metadata/annotations").put(REPLACES, "ns/s2");
    scene.constraint = new PlacementConstraint.TakeOver("a", Set.of("s1", "s2"));

    Plan plan = scene.nominated("a").plan();

    assertThat(at(plan, "a")).containsExactly("create Workload");
    JsonNode body = ((Write.Create) Scene.first(plan, "a")).body();
    assertThat(body.at("/metadata/annotations").path(REPLACES).asText()).isEqualTo("ns/s1");
  }

  @Test
  void whereNoEarlierSliceHasAJobItsCopyReplacesNothing() {
    scene.constraint = new PlacementConstraint.Unconstrained();
    scene.at("a").asked();

    Plan plan = scene.nominated("a", "b").plan();

    JsonNode body = ((Write.Create) Scene.first(plan, "a")).body();
    assertThat(body.at("/metadata/annotations").has(REPLACES)).isFalse();
  }

  @Test
  void theJobStaysWithTheEarlierOneWhileTheWorkerHasNoQuota() {
    scene.nominated("a").copyAt("a");

    Plan plan = scene.plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(plan.sentence()).contains("a: waits for quota");
  }

  @ParameterizedTest
  @ValueSource(strings = {"QuotaReserved", "Evicted"})
  void itGetsTheJobAsSoonAsTheWorkerHasFinishedTheEarlierOne(String condition) {
    ObjectNode copy = scene.nominated("a").copyAt("a");
    Trees.condition(copy, condition, true, "Any");

    Plan plan = scene.plan();

    assertThat(at(plan, "a")).containsExactly("patch Job @4");
    assertThat(patch(plan).at("/metadata/annotations").path(NAMES).asText()).isEqualTo("job-j");
    assertThat(
            patch(plan)
                .at("/metadata/annotations")
                .path("sluice.dev/multikueue-workload-uid")
                .asText())
        .isEqualTo("w-uid");
    assertThat(patch(plan).at("/spec/parallelism").asInt()).isEqualTo(3);
    assertThat(patch(plan).path("spec")).as("nothing is restarted").hasSize(1);
  }

  @Test
  void aSizeThatItsWorkloadHasNotFollowedYetIsNotSent() {
    scene.nominated("a").admittedAt("a");
    scene.job.withObject("/spec").put("parallelism", 5);

    Plan plan = scene.plan();

    assertThat(givesTheJob(plan)).isTrue();
    assertThat(patch(plan).has("spec")).isFalse();
  }

  @Test
  void itIsChosenOnceItHasTheJob() {
    scene.nominated("a").runningAt("a");

    Plan plan = scene.plan();

    assertThat(scene.checkAfter(plan)).isEqualTo("Ready: The workload was admitted on \"a\"");
    assertThat(at(plan, "a")).isEmpty();
  }

  @Test
  void itShrinksWhereItRuns() {
    scene.chosen("a").runningAt("a");
    scene.constraint = new PlacementConstraint.Unconstrained();
    scene.job.withObject("/spec").put("parallelism", 2);
    ((ObjectNode) scene.workload.at("/spec/podSets/0")).put("count", 2);

    Plan plan = scene.plan();

    assertThat(at(plan, "a")).containsExactly("patch Workload @3", "patch Job @4");
    JsonNode job = ((Write.MergePatch) plan.remote().getOrDefault("a", List.of()).get(1)).patch();
    assertThat(job.toString()).isEqualTo("{\"spec\":{\"parallelism\":2}}");
  }

  @Test
  void theStatusOfTheJobIsFollowedBeforeItIsTaken() {
    scene.nominated("a").copyAt("a");

    assertThat(brief(scene.plan().local())).containsExactly("patch Job/status @9");
  }

  @Test
  void aWorkerThatIsLostMeanwhileLosesIt() {
    scene.nominated("a").at("a").lostFor(Scene.LOST_AFTER.plusSeconds(1));

    assertThat(scene.checkAfter(scene.plan())).startsWith("Retry: Admitting remote lost");
  }

  @Test
  void aWorkerThatIsTakenFromTheConfigurationLosesIt() {
    scene.nominated("a").at("a").isConfigured = false;

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.DRAINING);
    assertThat(scene.checkAfter(plan)).startsWith("Retry: Worker cluster \"a\" is deleted");
  }

  @Test
  void anEvictedOneHasNotStoppedWhileTheEarlierOneHasAJobThere() {
    scene.evictedHere("preempted").constraint = new PlacementConstraint.Unconstrained();

    assertThat(scene.plan().stop()).isEqualTo(Stop.MAY_RUN);

    scene.at("a").asked();
    assertThat(scene.plan().stop()).isEqualTo(Stop.CERTAIN);
  }

  @Test
  void oneThatStartsAnewWaitsUntilTheEarlierJobIsGone() {
    scene.constraint = new PlacementConstraint.Unconstrained();

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(at(plan, "b")).containsExactly("create Workload");
    assertThat(plan.sentence()).contains("a: an earlier copy of the job");
    assertThat(plan.memory().leftOut()).as("it is ours and goes").isEmpty();
  }

  @Test
  void aReplacedOneKeepsItsCopyWhileItHasTheJob() {
    replaced();
    scene.copyAt("a");
    scene.jobAt("a");

    assertThat(scene.plan().remote()).isEmpty();

    runsForTheEarlier(); // the name of any other slice
    assertThat(at(scene.plan(), "a")).containsExactly("delete Workload a-w");
  }

  @Test
  void aReplacedOneWhoseSuccessorIsGoneIsStoppedCleanly() {
    replaced();
    scene.constraint = new PlacementConstraint.Unconstrained();
    scene.runningAt("a");

    assertThat(at(scene.plan(), "a")).containsExactly("patch Workload/status @3");
  }

  private void replaced() {
    Trees.condition(scene.workload, "Finished", true, "WorkloadSliceReplaced");
    scene.constraint = new PlacementConstraint.Replaced();
  }

  @Test
  void aJobThatTheWorkerChangedIsGivenUpAlsoIfItIsElastic() {
    ObjectNode copy = scene.chosen("a").runningAt("a");
    Trees.condition(
        (ObjectNode) scene.at("a").workload.object().orElseThrow(), "Finished", true, "OutOfSync");
    assertThat(copy.isEmpty()).isFalse();

    assertThat(scene.checkAfter(scene.plan())).startsWith("Retry: Remote workload");
  }
}
