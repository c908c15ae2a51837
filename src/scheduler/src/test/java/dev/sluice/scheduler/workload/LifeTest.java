package dev.sluice.scheduler.workload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.Inactivity;
import dev.sluice.scheduler.nodes.Health;
import dev.sluice.scheduler.write.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of a Workload, one look after the other. */
class LifeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final String QUEUED =
      """
      {"metadata":{"name":"w","namespace":"ns","uid":"u","resourceVersion":"7","generation":1},
      "spec":{"queueName":"lq","podSets":[]}}\
      """;
  private static final String CHECKED =
      """
      {"metadata":{"name":"cq","uid":"c"},"spec":{"admissionChecksStrategy":{"admissionChecks":[
      {"name":"b"},{"name":"a"}]}}}\
      """;

  private final List<Write> written = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private Instant now = T;
  private @Nullable LocalQueue localQueue =
      read(LocalQueue.class, "{\"metadata\":{\"name\":\"lq\"},\"spec\":{\"clusterQueue\":\"cq\"}}");
  private @Nullable ClusterQueue clusterQueue =
      read(ClusterQueue.class, "{\"metadata\":{\"name\":\"cq\"},\"spec\":{}}");
  private List<Inactivity> inactivity = List.of();
  private Health health = Health.GOOD;
  private LifeSettings settings =
      new LifeSettings(
          Optional.of(
              new WaitForPodsReady(
                  Duration.ofMinutes(30),
                  Duration.ofMinutes(5),
                  false,
                  new Requeuing(
                      false, OptionalInt.of(2), Duration.ofSeconds(60), Duration.ofSeconds(100)))),
          Optional.of(Duration.ofHours(1)),
          true,
          true);

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static Workload workload(String status) {
    return workload(QUEUED, status);
  }

  private static Workload workload(String object, String status) {
    try {
      ObjectNode tree = (ObjectNode) JSON.readTree(object);
      tree.set("status", JSON.readTree(status));
      return HubObjects.read(Workload.class, tree);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(status, e);
    }
  }

  private static String conditions(String... conditions) {
    List<String> all = new ArrayList<>();
    for (String condition : conditions) {
      String[] part = condition.split(" ", 4);
      all.add(
          """
          {"type":"%s","status":"%s","reason":"%s","message":"%s",
          "lastTransitionTime":"2026-11-21T12:00:00Z"}\
          """
              .formatted(part[0], part[1], part[2], part.length > 3 ? part[3] : ""));
    }
    return "\"conditions\":[" + String.join(",", all) + "]";
  }

  private static final String ADMITTED =
      conditions("QuotaReserved True QuotaReserved", "Admitted True Admitted")
          + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}";

  /** Looks until there is nothing more to do; what is written to the object itself is applied. */
  private Workload live(Workload workload) {
    Workload at = workload;
    for (int looks = 0; looks < 20; looks++) {
      Step step = look(at);
      if (step.isRest()) {
        return at;
      }
      WorkloadStatus status = step.status().orElse(at.status());
      at = new Workload(at.metadata(), at.spec(), status);
      for (Write write : step.writes()) {
        written.add(write);
        if (write instanceof Write.MergePatch patch) {
          at = patched(at, patch);
        }
      }
      step.events().forEach(event -> events.add(event.reason()));
    }
    throw new AssertionError("no rest after 20 looks: " + at);
  }

  private static Workload patched(Workload workload, Write.MergePatch patch) {
    ObjectNode tree = HubObjects.write(workload);
    for (String part : List.of("metadata", "spec")) {
      for (var member : patch.patch().path(part).properties()) {
        tree.withObjectProperty(part).set(member.getKey(), member.getValue());
      }
    }
    return HubObjects.read(Workload.class, (JsonNode) tree);
  }

  private Step look(Workload workload) {
    return new WorkloadController(settings)
        .look(
            workload,
            new Surroundings() {
              @Override
              public Optional<LocalQueue> localQueue(String namespace, String name) {
                return Optional.ofNullable(localQueue);
              }

              @Override
              public Optional<ClusterQueue> clusterQueue(String name) {
                return Optional.ofNullable(clusterQueue);
              }

              @Override
              public Optional<Integer> priority(String name) {
                return name.equals("high") ? Optional.of(100) : Optional.empty();
              }

              @Override
              public List<Inactivity> inactivity(String name) {
                return inactivity;
              }

              @Override
              public Health health(Workload placed, Instant at) {
                return health;
              }
            },
            now);
  }

  private static String told(Workload workload, String type) {
    Condition condition = StatusEdit.find(workload, type).orElseThrow();
    return condition.status().text() + " " + condition.reason() + ": " + condition.message();
  }

  @Test
  void oneThatWaitsInAGoodQueueIsLeftToTheEngine() {
    Workload fresh = workload("{}");

    assertThat(live(fresh)).isEqualTo(fresh);
  }

  @Test
  void saysThatItsLocalQueueIsMissingUntilItComes() {
    localQueue = null;
    Workload waiting = live(workload("{}"));
    assertThat(told(waiting, "QuotaReserved"))
        .isEqualTo("False Misconfigured: LocalQueue lq doesn't exist");
    assertThat(told(waiting, "Admitted"))
        .isEqualTo("False NoReservation: The workload has no reservation");

    localQueue =
        read(
            LocalQueue.class,
            "{\"metadata\":{\"name\":\"lq\"},\"spec\":{\"clusterQueue\":\"cq\"}}");
    assertThat(told(live(waiting), "QuotaReserved"))
        .isEqualTo(
            "False PendingEvaluation: Workload is pending evaluation in the scheduling queue");
  }

  @Test
  void saysWhatItsQueuesLack() {
    clusterQueue = null;
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Misconfigured: ClusterQueue cq doesn't exist");

    clusterQueue = read(ClusterQueue.class, "{\"metadata\":{\"name\":\"cq\"},\"spec\":{}}");
    inactivity = List.of(new Inactivity(Inactivity.Reason.STOPPED, "", "stopPolicy is Hold"));
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Suspended: ClusterQueue cq is inactive");

    inactivity =
        List.of(
            new Inactivity(
                Inactivity.Reason.FLAVOR_NOT_FOUND, "f", "there is no ResourceFlavor f"));
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Suspended: ClusterQueue cq is inactive: there is no ResourceFlavor f");
    Workload misconfigured =
        workload("{" + conditions("QuotaReserved False Misconfigured ClusterQueue cq...") + "}");
    assertThat(told(live(misconfigured), "QuotaReserved"))
        .isEqualTo(
            "False Misconfigured: ClusterQueue cq is inactive: there is no ResourceFlavor f");
  }

  @ParameterizedTest
  @CsvSource({
    "WaitingForQuota so it is",
    "NoMatchingFlavor so it is",
    "ExceedsMaxQuota so it is",
    "PendingEvaluation so it is",
    "Misconfigured ClusterQueue cq does not select namespace ns",
    "Misconfigured PodSet main: request 2 above limit 1 for cpu",
  })
  void leavesAloneWhatTheSchedulerSays(String reason) {
    Workload waiting = workload("{" + conditions("QuotaReserved False " + reason) + "}");

    assertThat(live(waiting)).isEqualTo(waiting);
  }

  @Test
  void listsTheChecksOfItsQueueInOrderAndKeepsWhatTheySaid() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload listed =
        live(
            workload(
                """
                {"admissionChecks":[{"name":"b","state":"Ready","message":"ok",
                "lastTransitionTime":"2026-11-21T11:00:00Z"},{"name":"old","state":"Pending",
                "message":"","lastTransitionTime":"2026-11-21T11:00:00Z"}]}\
                """));

    assertThat(listed.status().admissionChecks())
        .extracting(AdmissionCheckState::name, AdmissionCheckState::state)
        .containsExactly(tuple("a", CheckState.PENDING), tuple("b", CheckState.READY));
  }

  @Test
  void isAdmittedWhenTheLastCheckIsReady() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String reserved = conditions("QuotaReserved True QuotaReserved");
    now = T.plusSeconds(5);

    Workload pending = live(workload("{" + reserved + checks("Ready", "Pending") + "}"));
    assertThat(told(pending, "Admitted"))
        .isEqualTo("False UnsatisfiedAdmissionChecks: The workload has not all checks ready");

    Workload admitted = live(workload("{" + reserved + checks("Ready", "Ready") + "}"));
    assertThat(told(admitted, "Admitted")).isEqualTo("True Admitted: The workload is admitted");
    assertThat(events).containsExactly("Admitted");
  }

  private static String checks(String a, String b) {
    String check =
        "{\"name\":\"%s\",\"state\":\"%s\",\"message\":\"m\","
            + "\"lastTransitionTime\":\"2026-11-21T12:00:00Z\"}";
    return ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]},\"admissionChecks\":["
        + check.formatted("a", a)
        + ","
        + check.formatted("b", b)
        + "]";
  }

  @Test
  void givesWayWhenACheckAsksToTryAgain() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload evicted =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved", "Admitted True Admitted")
                    + checks("Retry", "Ready")
                    + "}"));

    assertThat(told(evicted, "Evicted"))
        .isEqualTo("True AdmissionCheck: Evicted due to AdmissionCheck in Retry state: \"a\" (m)");
    assertThat(told(evicted, "QuotaReserved")).startsWith("True");
    assertThat(evicted.status().admissionChecks())
        .extracting(AdmissionCheckState::message, AdmissionCheckState::retryCount)
        .containsExactly(
            tuple("Reset to Pending after eviction. Previously: Retry", 1),
            tuple("Reset to Pending after eviction. Previously: Ready", null));
    assertThat(events).containsExactly("EvictedDueToAdmissionCheck");
  }

  @Test
  void isTakenOutForGoodWhenACheckRejectsIt() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload out =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved")
                    + checks("Rejected", "Pending")
                    + "}"));

    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted"))
        .isEqualTo(
            "True DeactivatedDueToAdmissionCheck: The workload is deactivated due to"
                + " AdmissionCheck in Rejected state: \"a\" (m)");
    assertThat(StatusEdit.find(out, "DeactivationTarget")).isEmpty();
    assertThat(requireNonNull(out.status().schedulingStats()).evictions())
        .extracting(c -> c.reason() + "/" + c.underlyingCause())
        .containsExactly("Deactivated/AdmissionCheck");
    assertThat(events)
        .containsExactly("AdmissionCheckRejected", "EvictedDueToDeactivatedDueToAdmissionCheck");
  }

  @ParameterizedTest
  @CsvSource({"None, 0", "Hold, 0", "HoldAndDrain, 1"})
  void isDrainedWithItsQueueAndOnlyOnce(String policy, int evictions) {
    clusterQueue =
        read(
            ClusterQueue.class,
            "{\"metadata\":{\"name\":\"cq\"},\"spec\":{\"stopPolicy\":\"%s\"}}".formatted(policy));
    Workload drained = live(workload("{" + ADMITTED + "}"));

    assertThat(StatusEdit.isTrue(drained, "Evicted")).isEqualTo(evictions == 1);
    assertThat(events).hasSize(evictions).allMatch("EvictedDueToClusterQueueStopped"::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "LocalQueue,   '{\"stopPolicy\":\"Hold\"}',         false, Suspended,     LocalQueue lq is"
        + " inactive",
    "LocalQueue,   '{\"stopPolicy\":\"HoldAndDrain\"}', false, Suspended,     LocalQueue lq is"
        + " inactive",
    "LocalQueue,   '{}', true,  Misconfigured, LocalQueue lq is terminating or missing",
    "ClusterQueue, '{\"stopPolicy\":\"Hold\"}',         false, Suspended,     ClusterQueue cq is"
        + " inactive",
    "ClusterQueue, '{\"stopPolicy\":\"HoldAndDrain\"}', false, Suspended,     ClusterQueue cq is"
        + " inactive",
    "ClusterQueue, '{}', true,  Misconfigured, ClusterQueue cq is terminating or missing",
  })
  void givesItsQuotaBackIfItDoesNotRunYetAndAQueueOfItStopsOrGoes(
      String kind, String spec, boolean leaves, String reason, String message) {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String object =
        "{\"metadata\":{\"name\":\"%s\",\"uid\":\"q\"%s},\"spec\":%s}"
            .formatted(
                kind.equals("LocalQueue") ? "lq" : "cq",
                leaves ? ",\"deletionTimestamp\":\"" + T + "\"" : "",
                spec);
    if (kind.equals("LocalQueue")) {
      localQueue = read(LocalQueue.class, object);
    } else {
      clusterQueue = read(ClusterQueue.class, object);
      inactivity = List.of(new Inactivity(Inactivity.Reason.STOPPED, "", "stopPolicy is Hold"));
    }

    Workload without =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved")
                    + checks("Ready", "Pending")
                    + "}"));

    assertThat(without.status().admission()).isNull();
    assertThat(told(without, "QuotaReserved")).isEqualTo("False " + reason + ": " + message);
    assertThat(told(without, "Admitted"))
        .isEqualTo("False NoReservation: The workload has no reservation");
    assertThat(StatusEdit.find(without, "Evicted")).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void keepsItsQuotaIfItRunsWhileItsLocalQueueGoes() {
    localQueue = null;
    Workload running = workload("{" + ADMITTED + "}");

    assertThat(live(running)).isEqualTo(running);
  }

  @Test
  void keepsItsQuotaIfItsClusterQueueIsNotSeenYet() {
    clusterQueue = null;
    Workload reserved =
        workload(
            "{"
                + conditions("QuotaReserved True QuotaReserved")
                + checks("Ready", "Pending")
                + "}");

    assertThat(live(reserved)).isEqualTo(reserved);
  }

  @ParameterizedTest
  @CsvSource({
    "ClusterQueueStopped, ClusterQueueRestarted",
    "LocalQueueStopped, LocalQueueRestarted",
    "AdmissionCheck, BackoffFinished",
    "PodsReadyTimeout, BackoffFinished",
    "Deactivated, Reactivated",
    "DeactivatedDueToAdmissionCheck, DeactivatedDueToAdmissionCheck",
  })
  void isQueuedAgainWhenWhatKeptItOutIsOver(String kept, String after) {
    Workload back = live(workload("{" + conditions("Requeued False " + kept) + "}"));

    assertThat(StatusEdit.find(back, "Requeued").orElseThrow().reason()).isEqualTo(after);
  }

  @Test
  void waitsForItsBackoff() {
    String status =
        "{"
            + conditions("Requeued False PodsReadyTimeout")
            + ",\"requeueState\":{\"count\":2,\"requeueAt\":\"2026-11-21T12:01:00Z\"}}";
    assertThat(look(workload(status)).again()).contains(T.plusSeconds(60));

    now = T.plusSeconds(60);
    Workload back = live(workload(status));
    assertThat(told(back, "Requeued"))
        .isEqualTo("True BackoffFinished: The workload backoff was finished");
    assertThat(back.status().requeueState()).isEqualTo(new RequeueState(2, null));
  }

  @Test
  void givesWayWhenItsPodsAreNotReadyInTimeEachTimeForLonger() {
    Workload starting = workload("{" + ADMITTED + "}");
    assertThat(look(starting).again()).contains(T.plus(Duration.ofMinutes(30)));

    now = T.plus(Duration.ofMinutes(30));
    Workload first = live(starting);
    assertThat(told(first, "Evicted"))
        .isEqualTo("True PodsReadyTimeout: Exceeded the PodsReady timeout ns/w");
    assertThat(first.status().requeueState()).isEqualTo(new RequeueState(1, now.plusSeconds(60)));

    Workload second = live(workload("{" + ADMITTED + ",\"requeueState\":{\"count\":1}}"));
    assertThat(second.status().requeueState()).isEqualTo(new RequeueState(2, now.plusSeconds(100)));

    Workload third = live(workload("{" + ADMITTED + ",\"requeueState\":{\"count\":2}}"));
    assertThat(third.spec().active()).isFalse();
    assertThat(told(third, "Evicted")).startsWith("True DeactivatedDueToRequeuingLimitExceeded");
  }

  @Test
  void isTakenOutWhenItRanTooLongCountingWhatItRanBefore() {
    String limited =
        QUEUED.replace("\"podSets\"", "\"maximumExecutionTimeSeconds\":100,\"podSets\"");
    String ready =
        ADMITTED.replace(
            "]",
            ",{\"type\":\"PodsReady\",\"status\":\"True\","
                + "\"reason\":\"Started\",\"message\":\"\",\"lastTransitionTime\":\"2026-11-21T12:00:00Z\"}]");
    Workload running =
        workload(limited, "{" + ADMITTED + ",\"accumulatedPastExecutionTimeSeconds\":40}");
    assertThat(ready).isNotEqualTo(ADMITTED);
    assertThat(look(running).again()).contains(T.plusSeconds(60));

    now = T.plusSeconds(60);
    Workload out = live(running);
    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted")).contains("DeactivatedDueToMaximumExecutionTimeExceeded");
    assertThat(out.status().accumulatedPastExecutionTimeSeconds()).isNull();
    assertThat(events)
        .containsExactly(
            "MaximumExecutionTimeExceeded",
            "EvictedDueToDeactivatedDueToMaximumExecutionTimeExceeded");
  }

  @ParameterizedTest
  @CsvSource({
    "kueue.x-k8s.io,    WorkloadPriorityClass, high, 100",
    "kueue.x-k8s.io,    WorkloadPriorityClass, gone, 5",
    "scheduling.k8s.io, PriorityClass,         high, 5",
  })
  void followsItsClassAsLongAsThereIsOne(String group, String kind, String name, int priority) {
    String of =
        "\"priority\":5,\"priorityClassRef\":{\"group\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\"},"
            .formatted(group, kind, name);
    Workload followed = live(workload(QUEUED.replace("\"podSets\"", of + "\"podSets\""), "{}"));

    assertThat(followed.spec().priority()).isEqualTo(priority);
  }

  @Test
  void isHeldBackAsLongAsItsAnnotationSays() {
    String gated =
        QUEUED.replace(
            "\"uid\"",
            "\"annotations\":{\"kueue.x-k8s.io/admission-gated-by\":\"team-a\"},\"uid\"");
    Workload held = live(workload(gated, "{}"));
    assertThat(told(held, "QuotaReserved"))
        .isEqualTo("False AdmissionGated: Admission is gated by: team-a");

    Workload cleared =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved False AdmissionGated Admission is gated...")
                    + "}"));
    assertThat(told(cleared, "QuotaReserved"))
        .isEqualTo(
            "False PendingEvaluation: AdmissionGatedBy cleared, waiting for quota reservation");
    assertThat(events).containsExactly("AdmissionGated", "AdmissionGateCleared");
  }

  @Test
  void isLetGoWhenNobodyOwnsItAnyMore() {
    String orphan =
        QUEUED.replace(
            "\"uid\"",
            "\"labels\":{\"kueue.x-k8s.io/job-uid\":\"j\"},"
                + "\"finalizers\":[\"kueue.x-k8s.io/resource-in-use\",\"other\"],\"uid\"");
    Workload finished = live(workload(orphan, "{" + ADMITTED + "}"));

    assertThat(told(finished, "Finished"))
        .isEqualTo("True OwnerNotFound: The workload's owner no longer exists");
    assertThat(finished.metadata().finalizers()).containsExactly("other");

    String deleted =
        orphan.replace("\"uid\":\"u\"", "\"uid\":\"u\",\"deletionTimestamp\":\"" + T + "\"");
    Workload gone = live(workload(deleted, "{}"));
    assertThat(gone.metadata().finalizers()).containsExactly("other");
    assertThat(StatusEdit.find(gone, "Finished")).isEmpty();
  }

  @Test
  void isDeletedSoLongAfterItFinished() {
    String kept =
        QUEUED.replace("\"uid\"", "\"finalizers\":[\"kueue.x-k8s.io/resource-in-use\"],\"uid\"");
    Workload finished = workload(kept, "{" + conditions("Finished True Succeeded") + "}");
    assertThat(look(finished).again()).contains(T.plus(Duration.ofHours(1)));

    now = T.plus(Duration.ofHours(1));
    Step step = look(finished);
    assertThat(step.writes())
        .extracting(write -> write.getClass().getSimpleName())
        .containsExactly("MergePatch", "Delete", "Event");
  }

  @Test
  void everyPatchDemandsTheVersionThatItWasMadeFor() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    live(workload("{" + conditions("DeactivationTarget True AdmissionCheck m") + "}"));

    assertThat(written)
        .isNotEmpty()
        .allSatisfy(
            write -> assertThat(((Write.MergePatch) write).resourceVersion()).isEqualTo("7"));
  }

  @Test
  void namesAFailedNodeUntilItIsBackAndLooksAgainWhenThatIsDue() {
    health = new Health(List.of("n1"), List.of(), Optional.of(now.plusSeconds(10)));
    Workload failed = live(workload("{" + ADMITTED + "}"));

    assertThat(failed.status().unhealthyNodes()).containsExactly(new UnhealthyNode("n1"));
    assertThat(StatusEdit.find(failed, "Evicted")).isEmpty();
    assertThat(look(failed).again()).contains(now.plusSeconds(10));

    health = Health.GOOD;
    assertThat(live(failed).status().unhealthyNodes()).isEmpty();
  }

  @Test
  void givesWayWhenSeveralNodesFail() {
    health = new Health(List.of("n1", "n2"), List.of(), Optional.empty());

    Workload evicted = live(workload("{" + ADMITTED + "}"));

    assertThat(told(evicted, "Evicted"))
        .isEqualTo(
            "True NodeFailures: Workload eviction triggered due to multiple TAS assigned node"
                + " failures, including: n1, n2");
    assertThat(events).containsExactly("EvictedDueToNodeFailures");
    assertThat(evicted.status().unhealthyNodes()).isEmpty();
  }
}
