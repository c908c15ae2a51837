package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.scheduler.engine.StatusUpdate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users are told of decisions. */
class DecisionEventsTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final ObjectRef REF = new ObjectRef(ApiKind.WORKLOAD.hub(), "ns", "w", "u");

  /** With these conditions, each given as its type, status, reason, time and message. */
  private static Workload workload(String... conditions) {
    String all =
        Stream.of(conditions)
            .map(condition -> condition.split(" ", 5))
            .map(
                part ->
                    """
                    {"type":"%s","status":"%s","reason":"%s","lastTransitionTime":"%s",
                    "message":"%s"}\
                    """
                        .formatted((Object[]) part))
            .collect(Collectors.joining(","));
    String json =
        """
        {"metadata":{"name":"w","namespace":"ns","uid":"u",
        "creationTimestamp":"2026-11-21T11:00:00Z"},
        "spec":{"queueName":"lq","podSets":[]},"status":{"conditions":[%s]}}\
        """
            .formatted(all);
    try {
      return HubObjects.read(Workload.class, new ObjectMapper().readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static List<String> told(
      StatusUpdate.Kind kind, Workload base, Workload after, String priorities) {
    var decided = new StatusUpdate(kind, base, after, "cq", List.of(), priorities);
    return DecisionEvents.of(decided, REF, T).stream()
        .map(it -> it.type() + " " + it.reason() + ": " + it.message())
        .toList();
  }

  @Test
  void tellsWhoGivesWayToAnotherHowTheirPrioritiesCompare() {
    Workload evicted =
        workload(
            "Evicted True Preempted 2026-11-21T12:00:00Z for u2",
            "Preempted True InClusterQueue 2026-11-21T12:00:00Z for u2");

    assertThat(told(StatusUpdate.Kind.EVICTED, workload(), evicted, "preemptor 100; preemptee 0"))
        .containsExactly(
            "Normal EvictedDueToPreempted: for u2",
            "Normal Preempted: for u2; preemptor 100; preemptee 0");
  }

  @Test
  void doesNotTellAgainOfAnEarlierPreemption() {
    Workload evicted =
        workload(
            "Evicted True NodeFailures 2026-11-21T12:00:00Z a node failed",
            "Preempted False QuotaReserved 2026-11-21T11:30:00Z Previously: for u2");

    assertThat(told(StatusUpdate.Kind.EVICTED, workload(), evicted, ""))
        .containsExactly("Normal EvictedDueToNodeFailures: a node failed");
  }

  @Test
  void countsTheWaitForQuotaFromWhenItWasQueuedLast() {
    Workload reserved = workload("QuotaReserved True QuotaReserved 2026-11-21T12:00:00Z ok");
    Workload again =
        workload(
            "Evicted True ClusterQueueStopped 2026-11-21T11:10:00Z stopped",
            "Requeued True ClusterQueueRestarted 2026-11-21T11:59:55Z restarted");

    assertThat(told(StatusUpdate.Kind.RESERVED, workload(), reserved, ""))
        .containsExactly(
            "Normal QuotaReserved: Quota reserved in ClusterQueue cq, wait time since queued was"
                + " 3600s");
    assertThat(told(StatusUpdate.Kind.RESERVED, again, reserved, ""))
        .containsExactly(
            "Normal QuotaReserved: Quota reserved in ClusterQueue cq, wait time since queued was"
                + " 5s");
  }
}
