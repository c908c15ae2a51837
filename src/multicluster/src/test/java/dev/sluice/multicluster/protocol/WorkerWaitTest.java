package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.NOW;
import static dev.sluice.multicluster.protocol.Scene.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Workload waits for on a worker: its queues there, and workers that say nothing. */
class WorkerWaitTest {
  private static final String ACTIVE_SINCE = "2026-11-24T09:00:00Z";
  private final Scene scene = new Scene("a");

  private static QueueState active(Duration since) {
    return new QueueState.Active("cq", NOW.minus(since), ACTIVE_SINCE);
  }

  private ObjectNode olderCopy() {
    ObjectNode copy = scene.copyAt("a");
    copy.withObjectProperty("metadata").put("creationTimestamp", "2026-11-24T08:00:00Z");
    copy.withObjectProperty("status").putArray("conditions");
    return copy;
  }

  private static void said(ObjectNode copy, String message) {
    ArrayNode conditions = copy.withObjectProperty("status").putArray("conditions");
    conditions
        .addObject()
        .put("type", "QuotaReserved")
        .put("status", "False")
        .put("reason", "Inadmissible")
        .put("message", message);
  }

  private static String touches(Plan plan) {
    Write.MergePatch patch = (Write.MergePatch) Scene.first(plan, "a");
    return patch
        .patch()
        .path("metadata")
        .path("annotations")
        .path("sluice.dev/multikueue-touched")
        .asText();
  }

  @ParameterizedTest
  @CsvSource({"false, namespace ns is not there", "true, namespace ns is terminating"})
  void nothingIsCreatedInANamespaceThatIsMissing(boolean isTerminating, String told) {
    scene.at("a").queue = new QueueState.NoNamespace(isTerminating);

    Plan plan = scene.nominated("a").plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(scene.checkAfter(plan)).isEqualTo("Pending: 1 cluster. a: " + told);
  }

  @Test
  void aWorkloadIsToldWhyItWaitsAfterTwoSecondsSoThatAQuickWorkerCostsNoMessage() {
    scene.memory = Memory.NONE;

    Plan first = scene.nominated("a").plan();
    assertThat(scene.checkAfter(first)).isEqualTo("unchanged");
    assertThat(first.again()).contains(NOW.plusSeconds(2));
    scene.memory = first.memory();
    scene.now = NOW.plusSeconds(2);

    assertThat(scene.checkAfter(scene.plan()))
        .isEqualTo("Pending: 1 cluster. a: the workload is being created");
  }

  @Test
  void aWorkloadThatWaitsForOurOwnRequestsIsToldAfterAMinuteSoThatALongLineCostsNoMessages() {
    offeredSince(NOW);
    scene.memory = Memory.NONE;

    for (int seconds = 0; seconds < 60; seconds += 7) {
      scene.now = NOW.plusSeconds(seconds);
      Plan plan = scene.nominated("a").plan();
      assertThat(scene.checkAfter(plan)).isEqualTo("unchanged");
      assertThat(plan.again()).contains(NOW.plusSeconds(60));
      scene.memory = plan.memory();
    }
    scene.now = NOW.plusSeconds(64);

    assertThat(scene.checkAfter(scene.plan()))
        .isEqualTo("Pending: 1 cluster. a: the workload is being created");
  }

  @Test
  void aWorkerHasHalfAMinuteToLookAtACopyAndWhatItSaysIsToldAtOnce() {
    offeredSince(NOW);
    scene.memory = Memory.NONE;
    scene.now = NOW.plusSeconds(20);
    scene.memory = scene.nominated("a").plan().memory();
    ObjectNode copy = scene.copyAt("a");

    scene.now = NOW.plusSeconds(49);
    assertThat(scene.checkAfter(scene.plan())).isEqualTo("unchanged");
    scene.now = NOW.plusSeconds(50);
    assertThat(scene.checkAfter(scene.plan())).isEqualTo("Pending: 1 cluster. a: waits for quota");

    said(copy, "none is left");
    scene.now = NOW.plusSeconds(22);
    assertThat(scene.checkAfter(scene.plan()))
        .isEqualTo("Pending: 1 cluster. a: waits for quota: none is left");
  }

  private void offeredSince(Instant time) {
    scene
        .workload
        .at("/status/admissionChecks")
        .forEach(it -> ((ObjectNode) it).put("lastTransitionTime", time.toString()));
  }

  @Test
  void aCopyThatWaitsForItsQueueSaysSo() {
    olderCopy();
    scene.at("a").queue = new QueueState.NoLocalQueue();
    assertThat(scene.nominated("a").plan().sentence()).startsWith("1 cluster. a: LocalQueue ns/");

    scene.at("a").queue = new QueueState.NotActive("ClusterQueue cq", "no flavor");
    assertThat(scene.plan().sentence())
        .isEqualTo("1 cluster. a: ClusterQueue cq is not active: no flavor");
  }

  @Test
  void aWorkerThatSaysNothingIsGivenFiveSecondsAfterItsQueueBecameActive() {
    olderCopy();
    scene.at("a").queue = active(Duration.ofSeconds(3));

    Plan plan = scene.nominated("a").plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(plan.again()).contains(NOW.plusSeconds(2));
  }

  /** A request is dropped if the Workload changes before it is sent. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aTouchThatTheCopyDoesNotShowIsPlannedAgainAfterFiveSeconds(int shown) {
    ObjectNode copy = olderCopy();
    scene.nominated("a").at("a").queue = active(Duration.ofSeconds(5));
    copy.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("sluice.dev/multikueue-touched", Integer.toString(shown));
    Plan lost = scene.plan();
    assertThat(touches(lost)).isEqualTo(Integer.toString(shown + 1));
    assertThat(lost.again()).contains(scene.now.plusSeconds(5));
    scene.memory = lost.memory();

    scene.now = scene.now.plusSeconds(4);
    assertThat(at(scene.plan(), "a")).isEmpty();
    scene.now = scene.now.plusSeconds(1);
    assertThat(touches(scene.plan())).isEqualTo(Integer.toString(shown + 1));
  }

  @Test
  void aSilentWorkerIsTouchedThreeTimesAMinuteApartAndThenToldOf() {
    ObjectNode copy = olderCopy();
    scene.nominated("a").at("a").queue = active(Duration.ofSeconds(5));
    Instant begin = scene.now;

    for (int i = 1; i <= 3; i++) {
      scene.now = begin.plusSeconds(60L * (i - 1));
      Plan plan = scene.plan();
      assertThat(touches(plan)).isEqualTo(Integer.toString(i));
      copy.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put("sluice.dev/multikueue-touched", Integer.toString(i));
      scene.memory = plan.memory();
      scene.now = scene.now.plusSeconds(59);
      assertThat(at(scene.plan(), "a")).as("a minute has not passed").isEmpty();
    }
    scene.now = begin.plusSeconds(600);

    Plan last = scene.plan();

    assertThat(at(last, "a")).isEmpty();
    assertThat(last.sentence())
        .isEqualTo(
            "1 cluster. a: ClusterQueue cq is active, and the worker has not looked at the"
                + " workload; touched 3 times");
  }

  @ParameterizedTest
  @CsvSource({
    "LocalQueue lq doesn't exist, true",
    "ClusterQueue cq doesn't exist, true",
    "ClusterQueue cq is inactive, true",
    "couldn't assign flavors to pod set main, false"
  })
  void onlyAnAnswerThatDoesNotHoldAnyMoreIsTakenForSilence(String message, boolean isSilent) {
    said(olderCopy(), message);
    scene.nominated("a").at("a").queue = active(Duration.ofMinutes(1));

    assertThat(at(scene.plan(), "a")).hasSize(isSilent ? 1 : 0);
  }

  @Test
  void aCopyThatCameToAnActiveQueueWaitsForItsTurn() {
    ObjectNode copy = olderCopy();
    copy.withObjectProperty("metadata").put("creationTimestamp", "2026-11-24T09:30:00Z");
    scene.nominated("a").at("a").queue = active(Duration.ofMinutes(30));

    assertThat(at(scene.plan(), "a")).isEmpty();
  }

  @Test
  void aCopyThatSomebodysFinalizerHoldsIsTold() {
    ObjectNode copy = olderCopy();
    ObjectNode metadata = copy.withObjectProperty("metadata");
    metadata.put("deletionTimestamp", "2026-11-24T09:59:00Z").putArray("finalizers").add("x.io/y");

    Plan plan = scene.nominated("a").plan();

    assertThat(plan.sentence())
        .isEqualTo("1 cluster. a: Workload job-j is being deleted, held by finalizer x.io/y");
    assertThat(at(plan, "a")).as("it is not removed").isEmpty();
  }

  @Test
  void aJobThatItsClusterDoesNotStartIsToldAfterFiveMinutes() {
    scene.chosen("a");
    scene.runningAt("a").withObjectProperty("spec").put("suspend", true);
    ready(NOW.minus(Duration.ofMinutes(4)));
    settle();
    Plan early = scene.plan();
    assertThat(scene.checkAfter(early)).isEqualTo("unchanged");
    assertThat(early.again()).contains(NOW.plus(Duration.ofMinutes(1)));

    scene.now = NOW.plus(Duration.ofMinutes(1));

    assertThat(scene.checkAfter(scene.plan()))
        .isEqualTo(
            "Ready: The workload was admitted on \"a\"; Job is still held back there: is the"
                + " integration of Job on there?");
  }

  @Test
  void aJobWithoutAReadyPodIsToldAndNoLongerWhenOneIsReady() {
    scene.chosen("a");
    ObjectNode job = scene.runningAt("a");
    job.withObjectProperty("status").put("ready", 0);
    ready(NOW.minus(Duration.ofMinutes(5)));
    settle();
    String told = "Ready: The workload was admitted on \"a\"; no Pod of it is ready there";
    assertThat(scene.checkAfter(scene.plan())).isEqualTo(told);

    scene.checkState().put("message", told.substring("Ready: ".length()));
    job.withObjectProperty("status").put("ready", 3);
    settle();

    assertThat(scene.checkAfter(scene.plan()))
        .isEqualTo("Ready: The workload was admitted on \"a\"");
  }

  private void ready(Instant since) {
    scene
        .checkState()
        .put("lastTransitionTime", since.toString())
        .put("message", "The workload was admitted on \"a\"");
  }

  private void changedAt(Instant time) {
    for (String list : List.of("admissionChecks", "conditions")) {
      scene
          .status()
          .path(list)
          .forEach(it -> ((ObjectNode) it).put("lastTransitionTime", time.toString()));
    }
  }

  /** Lets the local Job have the status that it would get. */
  private void settle() {
    scene.isMirrorRefused = true;
  }

  @Test
  void aWorkloadThatNobodyAdmitsGivesItsQuotaBackIfAnOperatorWantsThat() {
    olderCopy();
    scene.nominated("a").at("a").queue = new QueueState.NoLocalQueue();
    scene.giveUpAfter = Optional.of(Duration.ofMinutes(10));
    changedAt(NOW.minus(Duration.ofMinutes(9)));

    Plan early = scene.plan();
    assertThat(early.state()).isEqualTo(State.OFFERED);
    assertThat(early.again()).contains(NOW.plus(Duration.ofMinutes(1)));

    scene.now = NOW.plus(Duration.ofMinutes(1));
    Plan late = scene.plan();

    assertThat(late.state()).isEqualTo(State.RESETTING);
    assertThat(scene.checkAfter(late))
        .startsWith(
            "Retry: No worker cluster admitted the workload within 10m: 1 cluster. a: Local")
        .endsWith(", Previously: \"Pending\"");
  }
}
