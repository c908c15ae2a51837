package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.WORKLOAD_PRIORITY_CLASS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quota of a manager and of its workers, each with a scheduler of its own. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(1800)
class MultiKueueQuotaE2E {
  /** A multiple of five. */
  private static final int JOBS = Tier.number("sluice.test.multikueueRoom", 10, 10);

  private static final String CHECK =
      ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"multikueue\"}]}";
  private static final String PREEMPTION =
      ",\"preemption\":{\"withinClusterQueue\":\"LowerPriority\"}";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.start(Configuration.defaults(Fleet.HOME));
  }

  private static void queues(String name, int manager, String more, int a, int b) {
    FleetSetup.queue(FLEET.api(), name, manager, CHECK + more);
    FleetSetup.queue(FLEET.api("a"), name, a, "");
    FleetSetup.queue(FLEET.api("b"), name, b, "");
  }

  private static void createJob(String name, String queue, String labels) {
    FLEET
        .api()
        .create(
            Fleet.jobs(),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"%s"%s}},"spec":{"backoffLimit":0,
            "managedBy":"kueue.x-k8s.io/multikueue","template":{"spec":{"restartPolicy":"Never",
            "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name, queue, labels))
        .orThrow();
  }

  private static JsonNode workload(String job) {
    return FLEET.workload(job).orElseThrow();
  }

  private static List<String> activeOn(String worker) {
    return FLEET
        .items(worker, Fleet.jobs())
        .valueStream()
        .filter(it -> it.at("/status/active").asInt() > 0)
        .map(it -> it.at("/metadata/name").asText())
        .toList();
  }

  private static void clusterQueue(String worker, String queue, String spec) {
    FLEET
        .api(worker)
        .mergePatch(
            Kueue.path(CLUSTER_QUEUE, ApiVersion.HUB, queue), "{\"spec\":{%s}}".formatted(spec))
        .orThrow();
  }

  @Test
  void allRunThatFitOnTheWorkersTogether() {
    queues("room", JOBS, "", JOBS * 2 / 5, JOBS * 3 / 5);

    IntStream.range(0, JOBS).forEach(it -> FLEET.createJob("room-" + it, "room"));

    FLEET.await(
        Fleet.AMPLE.plusSeconds(2L * JOBS),
        "all run",
        () ->
            activeOn("a").stream().filter(it -> it.startsWith("room-")).count() == JOBS * 2 / 5
                && activeOn("b").stream().filter(it -> it.startsWith("room-")).count()
                    == JOBS * 3 / 5);
  }

  @Test
  void aJobOfHigherPriorityStartsWhenTheLowerOneHasStoppedOnItsWorkerAndThatRunsAgain() {
    queues("tight", 1, PREEMPTION, 10, 10);
    FLEET
        .api()
        .create(
            Kueue.collection(WORKLOAD_PRIORITY_CLASS, ApiVersion.HUB),
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"WorkloadPriorityClass",
            "metadata":{"name":"high"},"value":1000}\
            """)
        .orThrow();
    FLEET.createJob("low", "tight");
    String first = FLEET.runs("low");

    createJob("high", "tight", ",\"kueue.x-k8s.io/priority-class\":\"high\"");

    FLEET.await(
        "the higher one has quota",
        () ->
            FLEET
                .workload("high")
                .filter(it -> ApiClient.hasCondition(it, "QuotaReserved"))
                .isPresent());
    assertThat(activeOn(first)).doesNotContain("low");
    String second = FLEET.runs("high");
    FLEET.leavesNothingElsewhere("low");

    FLEET.succeed(second, "high");
    FLEET.finishes("high");
    FLEET.succeed(FLEET.runs("low"), "low");
    FLEET.finishes("low");
    FLEET.leavesNothingElsewhere("low");
    FLEET.leavesNothingElsewhere("high");
  }

  @Test
  void aJobThatRunsTooLongIsStoppedEverywhereAndNotStartedAgain() {
    queues("brief", 10, "", 10, 10);
    createJob("long", "brief", ",\"kueue.x-k8s.io/max-exec-time-seconds\":\"5\"");
    FLEET.runs("long");

    isStoppedForGood("long");
  }

  /** Its clock, or a second of it, is ahead: the worker is the first to see that time is over. */
  @Test
  void aJobThatAWorkerEndsForItsTimeIsNotStartedAgain() {
    queues("over", 10, "", 10, 10);
    createJob("over", "over", ",\"kueue.x-k8s.io/max-exec-time-seconds\":\"600\"");
    ApiClient worker = FLEET.api(FLEET.runs("over"));
    String copy = Fleet.workloads() + "/" + workload("over").at("/metadata/name").asText();

    FLEET.await(
        "the worker takes its time for over",
        () -> {
          ObjectNode seen = (ObjectNode) worker.get(copy).orThrow().json();
          seen.withObjectProperty("status")
              .withArrayProperty("conditions")
              .addObject()
              .put("type", "DeactivationTarget")
              .put("status", "True")
              .put("reason", "MaximumExecutionTimeExceeded")
              .put("message", "exceeding the maximum execution time")
              .put("lastTransitionTime", Instant.now().toString());
          return worker.put(copy + "/status", seen.toString()).isSuccess();
        });

    isStoppedForGood("over");
  }

  private static void isStoppedForGood(String job) {
    FLEET.await("it is deactivated here", () -> !workload(job).at("/spec/active").asBoolean(true));
    FLEET.leavesNothingElsewhere(job);
    assertThat(workload(job).at("/status/schedulingStats/evictions").valueStream())
        .as("it was evicted once")
        .hasSize(1)
        .allMatch(it -> it.path("count").asInt() == 1)
        .allMatch(it -> it.path("underlyingCause").asText().equals("MaximumExecutionTimeExceeded"));
    assertThat(FLEET.api().get(Fleet.job(job)).orThrow().json().at("/spec/suspend").asBoolean())
        .isTrue();
  }

  @Test
  void aQueueOfAWorkerThatIsLetGoOrGetsQuotaRunsWhatWaits() {
    queues("stopped", 10, "", 10, 10);
    clusterQueue("a", "stopped", "\"stopPolicy\":\"Hold\"");
    clusterQueue("b", "stopped", "\"stopPolicy\":\"Hold\"");
    FLEET.createJob("held", "stopped");
    FLEET.await("copies wait", () -> FLEET.left("a", "held").size() == 1);

    clusterQueue("a", "stopped", "\"stopPolicy\":\"None\"");

    assertThat(FLEET.runs("held")).isEqualTo("a");

    queues("empty", 10, "", 0, 0);
    FLEET.createJob("poor", "empty");
    FLEET.await("copies wait", () -> FLEET.left("b", "poor").size() == 1);
    clusterQueue(
        "b",
        "empty",
        """
        "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"empty","resources":[{
        "name":"cpu","nominalQuota":"1"}]}]}]\
        """);
    assertThat(FLEET.runs("poor")).isEqualTo("b");
  }
}
