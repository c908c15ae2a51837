package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.at;
import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Won and not recorded, Chosen, Draining, and Finished there. */
class ChosenTest {
  private final Scene scene = new Scene("a", "b", "c");

  @Test
  void theFirstThatAdmitsGetsTheJobHeldBackAndTheOthersAreWithdrawn() {
    scene.nominated("a", "b", "c").copyAt("a");
    scene.admittedAt("b");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.WON);
    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
    assertThat(at(plan, "b")).containsExactly("create Job");
    assertThat(plan.local()).isEmpty();
    JsonNode body = ((Write.Create) Scene.first(plan, "b")).body();
    assertThat(body.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(body.path("spec").has("managedBy")).isFalse();
    assertThat(body.path("spec").has("selector")).isFalse();
    assertThat(body.path("spec").has("ttlSecondsAfterFinished")).isFalse();
    assertThat(body.at("/spec/template/metadata/labels").toString()).isEqualTo("{\"app\":\"a\"}");
    assertThat(
            body.at("/metadata/annotations").path("kueue.x-k8s.io/prebuilt-workload-name").asText())
        .isEqualTo("job-j");
    assertThat(body.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").asText())
        .isEqualTo("multikueue");
    assertThat(body.path("metadata").has("ownerReferences")).isFalse();
    assertThat(body.has("status")).isFalse();
  }

  @Test
  void quotaAloneIsNoAdmission() {
    ObjectNode copy = scene.nominated("a").copyAt("a");
    Trees.condition(copy, "QuotaReserved", true, "QuotaReserved");
    scene.checkState().put("message", "x");

    Plan plan = scene.plan();

    assertThat(plan.state()).isNotEqualTo(State.WON);
  }

  @Test
  void ofTwoThatAdmitInOneLookTheFirstInTheConfigurationWins() {
    scene.nominated("a", "b").admittedAt("b");
    scene.admittedAt("a");

    Plan plan = scene.plan();

    assertThat(at(plan, "b")).containsExactly("delete Workload b-w");
    assertThat(at(plan, "a")).as("not before the other one is gone").isEmpty();
    scene.at("b").workload = Presence.unlisted();
    assertThat(at(scene.plan(), "a")).containsExactly("create Job");
  }

  @Test
  void theOneThatWasSeenAdmittedFirstWinsWhateverTheClocksOfTheWorkersSay() {
    scene.nominated("a", "b").admittedAt("b");
    scene.memory = scene.plan().memory();
    scene.now = Scene.NOW.plusSeconds(1);
    scene.admittedAt("a");

    assertThat(at(scene.plan(), "a")).containsExactly("delete Workload a-w");
  }

  @Test
  void afterARestartTheOneThatHasTheJobWins() {
    scene.nominated("a", "b").admittedAt("a");
    scene.runningAt("b");

    Plan plan = scene.plan();

    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
    assertThat(brief(plan.local())).containsExactly("patch Workload/status @7");
  }

  @Test
  void aWorkerThatWasNotAskedForItsJobHoldsBackTheSecondOne() {
    scene.nominated("a", "b").admittedAt("a");
    scene.at("b").jobs.clear();

    Plan plan = scene.plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(plan.asks()).containsExactly(new Plan.Ask("b", Scene.JOB, "ns", "j"));
  }

  @Test
  void aWorkerThatNeverSaysWhetherItHasTheJobHoldsBackNobodyForLongerThanALinkWithoutAnswer() {
    scene.nominated("a", "b").admittedAt("a");
    scene.at("b").jobs.clear();
    Plan first = scene.plan();
    scene.memory = first.memory();

    scene.now = Scene.NOW.plusSeconds(30);

    assertThat(first.again()).contains(scene.now);
    assertThat(at(scene.plan(), "a")).containsExactly("create Job");
  }

  @Test
  void theChoiceIsOnePatch() {
    scene.nominated("a", "b").admittedAt("b");
    scene.jobAt("b");
    ((ObjectNode) scene.workload.at("/status/admission/podSetAssignments/0"))
        .put("delayedTopologyRequest", "Pending");

    Plan plan = scene.plan();

    assertThat(brief(plan.local())).containsExactly("patch Workload/status @7");
    JsonNode status = Scene.statusPatch(plan);
    assertThat(scene.checkAfter(plan)).isEqualTo("Ready: The workload was admitted on \"b\"");
    assertThat(status.path("clusterName").asText()).isEqualTo("b");
    assertThat(status.path("nominatedClusterNames").isNull()).isTrue();
    assertThat(status.path("admissionChecks")).as("the others stay").hasSize(2);
    assertThat(status.at("/admission/podSetAssignments/0/delayedTopologyRequest").asText())
        .isEqualTo("Ready");
    assertThat(plan.counters()).containsExactly(new Plan.Counter(Plan.Counter.What.ADMITTED, "b"));
  }

  @Test
  void aWinnerThatIsNotNominatedAnyMoreIsNominatedFirst() {
    scene.nominated("a").admittedAt("b");
    scene.jobAt("b");

    Plan plan = scene.plan();

    assertThat(Scene.statusPatch(plan).path("nominatedClusterNames"))
        .extracting(JsonNode::asText)
        .containsExactly("a", "b");
    assertThat(Scene.statusPatch(plan).has("clusterName")).isFalse();
  }

  @Test
  void aStaleCopyWhoseJobRunsIsTakenUpByItsMark() {
    scene.runningAt("a");
    scene
        .status()
        .withObjectProperty("schedulingStats")
        .withArrayProperty("evictions")
        .addObject()
        .put("reason", "Preempted")
        .put("underlyingCause", "")
        .put("count", 1);

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("patch Workload @3");
    assertThat(((Write.MergePatch) Scene.first(plan, "a")).patch())
        .asString()
        .contains("\"sluice.dev/multikueue-dispatch\":\"1\"");
  }

  @Test
  void whatRunsAndNobodyWantsIsStoppedFirstThenItsJobGoesThenTheWorkload() {
    scene.chosen("a").runningAt("a");
    ObjectNode job = scene.runningAt("b");
    ObjectNode copy = scene.at("b").tree();
    scene.job.withObjectProperty("spec").put("suspend", false);
    copy.withObjectProperty("metadata")
        .putArray("finalizers")
        .add("kueue.x-k8s.io/resource-in-use")
        .add("other");

    assertThat(at(scene.plan(), "b")).containsExactly("patch Workload/status @3");
    Trees.condition(
        copy, "DeactivationTarget", true, "EvictedOnManagerCluster", "", Scene.NOW.toString());
    Plan waiting = scene.plan();
    assertThat(waiting.remote().get("b")).isNull();
    assertThat(waiting.again()).contains(Scene.NOW.plusSeconds(60));

    Trees.condition(copy, "Evicted", true, "Deactivated");
    Trees.condition(copy, "QuotaReserved", false, "Pending");
    job.withObjectProperty("status").put("active", 0).put("terminating", 1);
    assertThat(scene.plan().remote().get("b")).as("Pods end").isNull();
    job.withObjectProperty("status").put("terminating", 0).remove("startTime");
    assertThat(at(scene.plan(), "b")).containsExactly("delete Job b-j");

    scene.at("b").jobs.clear();
    assertThat(scene.plan().asks()).containsExactly(new Plan.Ask("b", Scene.JOB, "ns", "j"));
    scene.at("b").asked();
    Plan last = scene.plan();
    assertThat(at(last, "b")).containsExactly("patch Workload @3", "delete Workload b-w");
    assertThat(((Write.MergePatch) Scene.first(last, "b")).patch().toString())
        .isEqualTo("{\"metadata\":{\"finalizers\":[\"other\"]}}");
  }

  @Test
  void aWorkerThatDoesNotReactForAMinuteIsNotWaitedFor() {
    scene.chosen("a").runningAt("a");
    scene.runningAt("b");
    Trees.condition(
        scene.at("b").tree(),
        "DeactivationTarget",
        true,
        "EvictedOnManagerCluster",
        "",
        Scene.NOW.minusSeconds(60).toString());

    assertThat(at(scene.plan(), "b")).containsExactly("delete Job b-j");
  }

  @Test
  void whileItRunsTheStatusComesBack() {
    scene.chosen("a").runningAt("a");
    scene.job.withObjectProperty("spec").put("suspend", false);

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.CHOSEN);
    assertThat(brief(plan.local())).containsExactly("patch Job/status @9");
    assertThat(((Write.MergePatch) plan.local().getFirst()).patch().at("/status/active").asInt())
        .isEqualTo(3);
    scene.memory = plan.memory();
    scene.now = Scene.NOW.plusMillis(400);
    Plan soon = scene.plan();
    assertThat(soon.local()).as("one write a second").isEmpty();
    assertThat(soon.again()).contains(Scene.NOW.plusSeconds(1));
  }

  @Test
  void aSuspendedLocalJobGetsOneConditionOnlyWhileTheOtherRuns() {
    scene.chosen("a").runningAt("a");

    Plan plan = scene.plan();

    assertThat(((Write.MergePatch) plan.local().getFirst()).patch().toString())
        .isEqualTo(
            "{\"status\":{\"conditions\":[{\"type\":\"Suspended\",\"status\":\"True\","
                + "\"reason\":\"MultiKueueAdapter\",\"message\":\"Set by MultiKueue adapter\"}]}}");
    assertThat(plan.again()).contains(Scene.NOW.plusSeconds(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          noCluster   | Admission check is Ready but no admitting cluster is recorded; this is unexpected, please report it, Previously: "Ready"
          lost        | Admitting remote lost, Previously: "Ready"
          copyGone    | Admitting remote no longer exists, Previously: "Ready"
          copyLeaving | Admitting remote no longer exists, Previously: "Ready"
          jobGone     | Admitting remote no longer exists, Previously: "Ready"
          noOwner     | Admitting remote no longer exists, Previously: "Ready"
          evicted     | Workload evicted on worker cluster: "a", resetting for re-admission. Previously: "Ready"
          outOfSync   | Remote workload on worker cluster "a" is out of sync with its user job, resetting for re-dispatch, Previously: "Ready"
          spec        | The spec of the workload has changed, resetting for re-dispatch, Previously: "Ready"
          drained     | Worker cluster "a" is deleted or no longer in the MultiKueueConfig, Previously: "Ready"
          """)
  void whatEndsARunThereAsksForAnotherTry(String how, String message) {
    scene.chosen("a").runningAt("a");
    ObjectNode copy = scene.at("a").tree();
    switch (how) {
      case "noCluster" -> scene.status().remove("clusterName");
      case "lost" -> scene.at("a").lostFor(Scene.LOST_AFTER);
      case "copyGone" -> scene.at("a").workload = Presence.absent();
      case "copyLeaving" ->
          copy.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T09:59:59Z");
      case "jobGone" -> scene.at("a").asked();
      case "noOwner" -> Trees.condition(copy, "Finished", true, "OwnerNotFound");
      case "evicted" -> Trees.condition(copy, "Evicted", true, "Preempted");
      case "outOfSync" -> Trees.condition(copy, "Finished", true, "OutOfSync");
      case "spec" -> scene.workload.withObjectProperty("spec").put("queueName", "lq2");
      default -> scene.at("a").isConfigured = false;
    }
    Plan plan = scene.plan();

    assertThat(scene.checkAfter(plan)).isEqualTo("Retry: " + message);
    assertThat(Scene.statusPatch(plan).has("clusterName")).as("the eviction clears it").isFalse();
    assertThat(plan.remote()).as("nothing is stopped before the eviction").doesNotContainKey("a");
  }

  @Test
  void aJobOutOfSyncIsToldWithThePathsThatDiffer() {
    scene.chosen("a").runningAt("a");
    ObjectNode job = scene.at("a").jobTree();
    ((ObjectNode) job.at("/spec/template/spec/containers/0")).put("image", "mutated");
    Trees.condition(scene.at("a").tree(), "Finished", true, "OutOfSync");

    assertThat(Scene.leftOut(scene.plan(), "a").why())
        .isEqualTo(
            "the job there is out of sync with its workload, it differs at"
                + " spec.template.spec.containers[0].image");
  }

  @ParameterizedTest
  @ValueSource(strings = {"listing", "connecting", "lostShort", "notAsked", "relabeled"})
  void nothingIsConcludedFromWhatIsNotKnown(String how) {
    scene.chosen("a").runningAt("a");
    switch (how) {
      case "listing" -> {
        scene.at("a").link = new Link.Connected(false);
        scene.at("a").workload = Presence.unlisted();
      }
      case "connecting" -> scene.at("a").link = new Link.Connecting();
      case "lostShort" -> scene.at("a").lostFor(Scene.LOST_AFTER.minusSeconds(1));
      case "notAsked" -> scene.at("a").workload = Presence.unlisted();
      default ->
          ((ObjectNode) scene.at("a").tree().at("/metadata/labels"))
              .remove("kueue.x-k8s.io/multikueue-origin");
    }
    Plan plan = scene.plan();

    assertThat(scene.checkAfter(plan)).isEqualTo("unchanged");
    if (how.equals("lostShort")) {
      assertThat(plan.again()).contains(Scene.NOW.plusSeconds(1));
    }
    if (how.equals("notAsked")) {
      assertThat(plan.asks()).extracting(it -> it.kind().kind()).containsExactly("Workload");
    }
  }

  @Test
  void whileNoClusterIsConnectedTheClockOfTheLostOneStandsAtMostOnce() {
    scene.chosen("a").runningAt("a");
    scene.workers.values().forEach(it -> it.lostFor(Scene.LOST_AFTER.plusSeconds(1)));
    assertThat(scene.checkAfter(scene.plan())).isEqualTo("unchanged");

    scene.workers.values().forEach(it -> it.lostFor(Scene.LOST_AFTER.multipliedBy(2)));
    assertThat(scene.checkAfter(scene.plan())).startsWith("Retry: Admitting remote lost");
  }

  @Test
  void aCopyOfKueueOnTheChosenClusterIsTakenUpAndNotRestarted() {
    scene.chosen("a").runningAt("a");
    for (ObjectNode it : List.of(scene.at("a").tree(), scene.at("a").jobTree())) {
      ObjectNode annotations = it.withObjectProperty("metadata").withObjectProperty("annotations");
      annotations.remove(
          List.of(
              "sluice.dev/multikueue-manager",
              "sluice.dev/multikueue-workload-uid",
              "sluice.dev/multikueue-dispatch",
              "sluice.dev/multikueue-spec"));
    }
    Plan plan = scene.plan();

    assertThat(at(plan, "a")).containsExactly("patch Workload @3");
    assertThat(scene.checkAfter(plan)).isEqualTo("unchanged");
  }

  @Test
  void theLastStatusComesFirstThenFinishedInTheWordsOfTheWorker() {
    Trees.condition(scene.chosen("a").runningAt("a"), "Complete", true, "CompletionsReached");
    scene.job.withObjectProperty("spec").put("suspend", false);
    Trees.condition(
        scene.at("a").tree(), "Finished", true, "Succeeded", "done", "2026-11-24T09:59:00Z");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.FINISHED_THERE);
    assertThat(brief(plan.local()))
        .containsExactly("patch Job/status @9", "patch Workload/status @7");
    assertThat(Scene.statusPatch(plan).path("conditions").toString())
        .contains("\"type\":\"Finished\"", "\"reason\":\"Succeeded\"", "\"message\":\"done\"");
    assertThat(plan.remote()).isEmpty();

    scene.isMirrorRefused = true;
    assertThat(brief(scene.plan().local()))
        .as("Finished does not hang on a status that is refused")
        .containsExactly("patch Workload/status @7");
  }

  @Test
  void whatALoserFinishedIsFinishedToo() {
    Trees.condition(scene.nominated("a", "b").admittedAt("b"), "Finished", true, "Failed");

    assertThat(scene.plan().state()).isEqualTo(State.FINISHED_THERE);
  }

  @Test
  void whatFinishedFirstCountsWhereTwoWorkersRanIt() {
    Trees.condition(
        scene.nominated("a", "b").admittedAt("a"),
        "Finished",
        true,
        "Failed",
        "late",
        "2026-11-24T09:59:00Z");
    Trees.condition(
        scene.admittedAt("b"), "Finished", true, "Succeeded", "done", "2026-11-24T09:58:00Z");

    Plan plan = scene.plan();

    assertThat(Scene.statusPatch(plan).path("conditions").toString())
        .contains("\"reason\":\"Succeeded\"", "\"message\":\"done\"");
  }

  @Test
  void afterTheEndTheJobGoesAndThenTheWorkloadWithoutAStop() {
    scene.chosen("a").runningAt("a");
    Trees.condition(scene.workload, "Finished", true, "Succeeded");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.IDLE);
    assertThat(at(plan, "a")).containsExactly("delete Job a-j");
  }

  /** A Workload that is being deleted keeps its quota while its job may run. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "connected, NOT_ASKED", // what the lists show decides
    "listing, MAY_RUN",
    "connecting, MAY_RUN",
    "lostShort, MAY_RUN",
    "lost, NOT_ASKED",
    "other, NOT_ASKED" // another worker is out of reach
  })
  void aWorkloadThatIsDeletedMayRunWhileItsWorkerCannotBeAsked(String link, Plan.Stop stop) {
    scene.chosen("a").runningAt("a");
    scene.workload.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T09:59:00Z");
    switch (link) {
      case "listing" -> scene.at("a").link = new Link.Connected(false);
      case "connecting" -> scene.at("a").link = new Link.Connecting();
      case "lostShort" -> scene.at("a").lostFor(Scene.LOST_AFTER.minusSeconds(1));
      case "lost" -> scene.at("a").lostFor(Scene.LOST_AFTER);
      case "other" -> scene.at("b").lostFor(Duration.ofSeconds(1));
      default -> assertThat(link).isEqualTo("connected");
    }

    Plan plan = scene.plan();

    assertThat(plan.stop()).isEqualTo(stop);
    assertThat(plan.again())
        .isEqualTo(
            link.equals("lostShort") ? Optional.of(Scene.NOW.plusSeconds(1)) : Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "noQuota", "noCheck"})
  void whatIsNotToRunAnywhereIsWithdrawnEverywhere(String how) {
    switch (how) {
      case "deleted" ->
          scene
              .workload
              .withObjectProperty("metadata")
              .put("deletionTimestamp", "2026-11-24T09:59:00Z");
      case "noQuota" -> Trees.condition(scene.workload, "QuotaReserved", false, "Pending");
      default -> scene.check = "";
    }
    scene.copyAt("a");
    scene.copyAt("b");
    scene.at("b").lostFor(Duration.ofSeconds(5));
    scene.runningAt("c");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.IDLE);
    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
    assertThat(plan.remote()).doesNotContainKey("b");
    assertThat(at(plan, "c"))
        .containsExactly(how.equals("deleted") ? "delete Job c-j" : "patch Workload/status @3");
  }

  @Test
  void aJobGoesOnWhereItRunsOnceItsQueueHasTheCheckNoMore() {
    ObjectNode job = scene.chosen("a").runningAt("a");
    Trees.condition(scene.workload, "Admitted", true, "Admitted");
    scene.status().remove("admissionChecks");

    assertThat(scene.plan().isAtRest()).isTrue();

    Trees.condition(job, "Complete", true, "CompletionsReached");
    scene.job.withObjectProperty("spec").put("suspend", false);
    Trees.condition(
        scene.at("a").tree(), "Finished", true, "Succeeded", "done", "2026-11-24T09:59:00Z");
    Plan end = scene.plan();
    assertThat(end.state()).isEqualTo(State.FINISHED_THERE);
    assertThat(Scene.statusPatch(end).path("conditions").toString()).contains("\"Succeeded\"");

    scene.at("a").tree().withObjectProperty("status").remove("conditions");
    Trees.condition(scene.workload, "QuotaReserved", false, "Pending");
    assertThat(at(scene.plan(), "a")).as("it is stopped when it loses its quota").isNotEmpty();
  }

  @Test
  void aJobThatIsNotProvedToBeOursIsNeverDeleted() {
    scene.chosen("a").runningAt("a");
    Trees.condition(scene.workload, "Finished", true, "Succeeded");
    ObjectNode job = scene.at("a").jobTree();
    ((ObjectNode) job.at("/metadata/annotations"))
        .put("kueue.x-k8s.io/prebuilt-workload-name", "another");
    assertThat(at(scene.plan(), "a")).containsExactly("delete Workload a-w");

    scene.jobAt("a");
    ((ObjectNode) scene.workload.at("/metadata/ownerReferences/0")).put("name", "k");
    assertThat(at(scene.plan(), "a"))
        .as("a Workload that is not owned by the job proves nothing")
        .doesNotContain("delete Job a-j");
  }

  @Test
  void anEventTellsEachChangeOfTheCheck() {
    scene.chosen("a").runningAt("a");
    scene.at("a").workload = Presence.absent();

    Optional<Write> event =
        scene.plan().local().stream().filter(it -> it instanceof Write.Event).findFirst();

    assertThat(event)
        .get()
        .satisfies(
            it -> {
              assertThat(((Write.Event) it).reason()).isEqualTo("MultiKueue");
              assertThat(((Write.Event) it).message())
                  .isEqualTo("Admitting remote no longer exists");
            });
  }
}
