package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.at;
import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.JobKinds;
import dev.sluice.multicluster.dispatch.External;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ready to offer, and Offered. */
class OfferTest {
  private final Scene scene = new Scene("a", "b");

  @Test
  void nominationsAreStoredBeforeAnythingIsMadeOnAWorker() {
    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.READY_TO_OFFER);
    assertThat(plan.remote()).isEmpty();
    assertThat(brief(plan.local())).containsExactly("patch Workload/status @7");
    assertThat(Scene.statusPatch(plan).path("nominatedClusterNames"))
        .extracting(JsonNode::asText)
        .containsExactly("a", "b");
  }

  @Test
  void nothingIsOfferedWhileAnotherCheckIsPending() {
    ((ObjectNode) scene.workload.at("/status/admissionChecks/1")).put("state", "Pending");

    Plan plan = scene.plan();

    assertThat(plan.state()).isEqualTo(State.READY_TO_OFFER);
    assertThat(plan.remote()).isEmpty();
    assertThat(scene.checkAfter(plan)).contains("waits for its other admission checks");
  }

  @Test
  void eachNominatedWorkerGetsACopyWithMarks() {
    Plan plan = scene.nominated("a", "b").plan();

    assertThat(plan.state()).isEqualTo(State.OFFERED);
    assertThat(at(plan, "a")).containsExactly("create Workload");
    assertThat(at(plan, "b")).containsExactly("create Workload");
    assertThat(plan.counters()).hasSize(2);
    JsonNode body = ((Write.Create) Scene.first(plan, "a")).body();
    assertThat(body.at("/metadata/labels").toString())
        .isEqualTo("{\"team\":\"a\",\"kueue.x-k8s.io/multikueue-origin\":\"multikueue\"}");
    assertThat(body.at("/metadata/annotations/note").asText()).isEqualTo("x");
    assertThat(body.at("/metadata/annotations").path("sluice.dev/multikueue-manager").asText())
        .isEqualTo("manager-uid");
    assertThat(body.at("/metadata/annotations").path("sluice.dev/multikueue-workload-uid").asText())
        .isEqualTo("w-uid");
    assertThat(body.at("/metadata/annotations").path("sluice.dev/multikueue-dispatch").asText())
        .isEqualTo("0");
    assertThat(body.path("metadata").has("ownerReferences")).isFalse();
    assertThat(body.path("metadata").has("finalizers")).isFalse();
    assertThat(body.path("metadata").has("uid")).isFalse();
    assertThat(body.path("spec").has("active")).isFalse();
  }

  @Test
  void aWorkerIsAskedForTheNameOfTheJobBeforeTheOffer() {
    scene.at("a").jobs.clear();

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(plan.asks()).containsExactly(new Plan.Ask("a", Scene.JOB, "ns", "j"));
  }

  @Test
  void aLostWorkerStaysNominatedAndGetsNothing() {
    scene.at("b").lostFor(Duration.ofMinutes(4));

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("create Workload");
    assertThat(at(plan, "b")).isEmpty();
    assertThat(scene.checkAfter(plan))
        .isEqualTo(
            "Pending: 2 clusters. a: the workload is being created;"
                + " b: not connected for 4m: connection refused");
  }

  @Test
  void aCopyThatIsNoLongerNominatedIsWithdrawn() {
    scene.dispatcher = new External();
    scene.copyAt("b");

    Plan plan = scene.nominated("a").plan();

    assertThat(at(plan, "b")).containsExactly("delete Workload b-w");
  }

  @Test
  void namesThatAnExternalDispatcherMadeUpAreTold() {
    scene.dispatcher = new External();

    Plan plan = scene.nominated("a", "x").plan();

    assertThat(plan.sentence()).contains("nominated cluster x is unknown");
  }

  @Test
  void anotherWorkloadOfTheJobSaysWhere() {
    scene.constraint = new PlacementConstraint.Follow("b");

    assertThat(Scene.statusPatch(scene.plan()).path("nominatedClusterNames"))
        .extracting(JsonNode::asText)
        .containsExactly("b");
  }

  @Test
  void aWorkloadThatFollowsAnotherWaitsUntilThatHasACluster() {
    scene.constraint = new PlacementConstraint.Follow("");

    Plan plan = scene.plan();

    assertThat(plan.sentence()).contains("waits for a cluster for the first workload of its job");
    assertThat(plan.remote()).isEmpty();
  }

  @Test
  void aWorkloadWaitsForTheOthersOfItsJob() {
    scene.constraint = new PlacementConstraint.WaitFor("2 more workloads");

    assertThat(scene.plan().sentence()).contains("waits for 2 more workloads");
  }

  @Test
  void aWorkerWithoutTheKindIsNotNominated() {
    scene.at("a").notServed = Set.of(Scene.JOB.groupKind());

    assertThat(Scene.statusPatch(scene.plan()).path("nominatedClusterNames"))
        .extracting(JsonNode::asText)
        .containsExactly("b");
  }

  @Test
  void aForeignWorkloadOfTheNameIsNeverTouchedAndItsWorkerIsLeftOut() {
    ObjectNode foreign = scene.copyAt("a");
    ((ObjectNode) foreign.at("/metadata/annotations"))
        .put("sluice.dev/multikueue-manager", "somebody");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).isEmpty();
    assertThat(at(plan, "b")).containsExactly("create Workload");
    assertThat(plan.sentence())
        .contains("a: name taken by Workload job-j, which is of manager somebody; left out until");
    assertThat(Scene.leftOut(plan, "a").until()).isEqualTo(Scene.NOW.plusSeconds(60));
  }

  @Test
  void aForeignJobOfTheNameIsNeverTouchedAndOurCopyGoes() {
    ObjectNode foreign = scene.jobAt("a");
    ((ObjectNode) foreign.at("/metadata/labels")).remove("kueue.x-k8s.io/multikueue-origin");
    ((ObjectNode) foreign.at("/metadata")).remove("annotations");
    scene.copyAt("a");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
    assertThat(plan.sentence()).contains("a: name taken by Job j");
  }

  @Test
  void whileSomebodyTookTheLabelFromOurCopyNothingIsOffered() {
    ObjectNode copy = scene.admittedAt("a");
    ((ObjectNode) copy.at("/metadata/labels")).remove("kueue.x-k8s.io/multikueue-origin");
    scene.admittedAt("b");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(plan.remote()).isEmpty();
    assertThat(plan.sentence()).contains("put it back or delete the copy");
  }

  @Test
  void aCopyOfAnEarlierWorkloadOfTheNameGoesFirst() {
    ObjectNode copy = scene.copyAt("a");
    ((ObjectNode) copy.at("/metadata/annotations"))
        .put("sluice.dev/multikueue-workload-uid", "before");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
  }

  @Test
  void aCopyWithoutMarksIsLeftAloneWhereAnotherManagerHasOurOrigin() {
    ObjectNode copy = scene.copyAt("a");
    ((ObjectNode) copy.path("metadata")).remove("annotations");
    scene.at("a").isShared = true;

    assertThat(at(scene.nominated("a", "b").plan(), "a")).isEmpty();
    scene.at("a").isShared = false;
    assertThat(at(scene.plan(), "a")).containsExactly("delete Workload a-w");
  }

  @Test
  void aCopyOfAnotherSpecIsReplaced() {
    scene.copyAt("a");
    scene.workload.withObjectProperty("spec").put("maximumExecutionTimeSeconds", 60);

    assertThat(at(scene.nominated("a", "b").plan(), "a")).containsExactly("delete Workload a-w");
  }

  @Test
  void whatTheWorkerDefaultsOrPrunesIsNoChange() {
    ObjectNode copy = scene.copyAt("a");
    copy.withObjectProperty("spec").put("defaulted", 1).remove("queueName");

    assertThat(at(scene.nominated("a", "b").plan(), "a")).isEmpty();
  }

  @Test
  void anotherPriorityIsPatchedAndNothingRestarted() {
    scene.copyAt("a");
    scene.workload.withObjectProperty("spec").put("priority", 50);

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("patch Workload @3");
    assertThat(((Write.MergePatch) Scene.first(plan, "a")).patch().toString())
        .isEqualTo("{\"spec\":{\"priority\":50}}");
  }

  @Test
  void aScaleDownOfAnElasticJobIsPatched() {
    ((ObjectNode) scene.workload.at("/metadata/annotations"))
        .put("kueue.x-k8s.io/workload-slice-name", "job-j");
    scene.copyAt("a");
    ((ObjectNode) scene.workload.at("/spec/podSets/0")).put("count", 2);

    assertThat(at(scene.nominated("a", "b").plan(), "a")).containsExactly("patch Workload @3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          deactivated | the workload is deactivated there: by hand
          rejected    | check budget rejected it there: too dear
          outOfSync   | the job there is out of sync with its workload
          """)
  void aWorkerThatRefusesIsLeftOutWithBackoffAndTold(String how, String told) {
    ObjectNode copy = scene.copyAt("a");
    switch (how) {
      case "deactivated" -> {
        copy.withObjectProperty("spec").put("active", false);
        Trees.condition(copy, "Evicted", true, "Deactivated", "by hand", "2026-11-24T09:00:00Z");
      }
      case "rejected" ->
          copy.withObjectProperty("status")
              .withArrayProperty("admissionChecks")
              .addObject()
              .put("name", "budget")
              .put("state", "Rejected")
              .put("message", "too dear");
      default -> Trees.condition(copy, "Finished", true, "OutOfSync");
    }
    Plan plan = scene.nominated("a", "b").plan();

    assertThat(at(plan, "a")).containsExactly("delete Workload a-w");
    assertThat(plan.sentence()).contains("a: " + told + "; left out until 2026-11-24T10:01:00Z");
    assertThat(plan.again()).contains(Scene.NOW.plusSeconds(60));

    scene.at("a").workload = Presence.absent();
    scene.memory = plan.memory();
    assertThat(at(scene.plan(), "a")).as("while it is left out").isEmpty();
    scene.now = Scene.NOW.plusSeconds(60);
    assertThat(at(scene.plan(), "a")).containsExactly("create Workload");
    scene.at("a").workload = new Presence.Present(copy);
    assertThat(Scene.leftOut(scene.plan(), "a").until())
        .as("twice as long the second time")
        .isEqualTo(scene.now.plusSeconds(120));
  }

  @Test
  void aCopyThatIsPreemptedBeforeItWasAdmittedStaysInTheQueueThere() {
    ObjectNode copy = scene.copyAt("a");
    Trees.condition(copy, "Evicted", true, "Preempted");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(plan.remote().get("a")).isNull();
    assertThat(scene.checkAfter(plan)).startsWith("Pending: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none         | No multikueue adapter found, Previously: "Pending"
          noAdapter    | No multikueue adapter found for owner kind "batch/v1, Kind=Job", Previously: "Pending"
          other        | The owner is not managed by Kueue: Expecting spec.managedBy to be "kueue.x-k8s.io/multikueue" not "x", Previously: "Pending"
          gate         | The owner is not managed by Kueue: MultiKueueAdaptersForCustomJobs feature gate is disabled, Previously: "Pending"
          """)
  void whatCanNeverBeDispatchedIsRejected(String how, String message) {
    switch (how) {
      case "none" -> scene.owner = Optional.empty();
      case "noAdapter" ->
          scene.owner =
              Optional.of(
                  new Owner(Scene.JOB, Optional.empty(), Optional.empty(), false, List.of()));
      case "other" -> scene.job.withObjectProperty("spec").put("managedBy", "x");
      default ->
          scene.owner =
              Optional.of(
                  new Owner(
                      Scene.JOB,
                      Scene.REMOTE,
                      Optional.of("MultiKueueAdaptersForCustomJobs feature gate is disabled"),
                      true,
                      List.of()));
    }
    Plan plan = scene.nominated("a").plan();

    assertThat(plan.state()).isEqualTo(State.REJECTED);
    assertThat(scene.checkAfter(plan)).isEqualTo("Rejected: " + message);
    assertThat(plan.remote()).isEmpty();
  }

  @Test
  void aJobMadeBeforeItsLocalQueueIsToldToBeMadeAgain() {
    scene.job.withObjectProperty("spec").remove("managedBy");

    assertThat(scene.checkAfter(scene.plan()))
        .contains("not \"\"")
        .contains("make the job again, Previously: \"Pending\"");
  }

  @Test
  void theMessageIsWrittenOnceInTenSecondsAndOnlyIfItDiffers() {
    ObjectNode copy = scene.copyAt("a");
    Trees.condition(copy, "QuotaReserved", false, "Pending", "no room", "2026-11-24T09:00:00Z");
    scene.nominated("a");
    scene.workers.remove("b");

    Plan first = scene.plan();
    assertThat(scene.checkAfter(first))
        .isEqualTo("Pending: 1 cluster. a: waits for quota: no room");
    JsonNode patched = Scene.statusPatch(first).path("admissionChecks").get(0);
    assertThat(patched.path("lastTransitionTime").asText()).isEqualTo("2026-11-24T09:00:00Z");

    scene.memory = first.memory();
    Plan soon = scene.plan();
    assertThat(soon.local()).isEmpty();
    assertThat(soon.again()).contains(Scene.NOW.plusSeconds(10));

    scene.checkState().put("message", "1 cluster. a: waits for quota: no room");
    assertThat(scene.plan().isAtRest()).isTrue();
  }

  @Test
  void allKindsCanBeDispatchedButSparkApplicationsAndWhatGoesByItsPods() {
    assertThat(JobKinds.standard().stream().filter(it -> Scene.remote(it).isEmpty()))
        .extracting(it -> it.kind().kind())
        .containsExactlyInAnyOrder("Deployment", "SparkApplication");
  }
}
