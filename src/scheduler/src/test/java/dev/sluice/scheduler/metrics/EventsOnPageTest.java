package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricsWorld.ALL;
import static dev.sluice.scheduler.metrics.MetricsWorld.condition;
import static dev.sluice.scheduler.metrics.MetricsWorld.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectChange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page says after something was seen to happen. */
class EventsOnPageTest {
  private static final String RESERVED = condition("QuotaReserved", true, "QuotaReserved", 3);
  private static final String ADMITTED = condition("Admitted", true, "Admitted", 5);
  private static final String READY = condition("PodsReady", true, "Started", 9);

  private final MetricsWorld world = new MetricsWorld(ALL);

  private static JsonNode workload(int evictions, String... conditions) {
    String admission =
        Arrays.asList(conditions).contains(RESERVED)
            ? "\"admission\":{\"clusterQueue\":\"cq\"},"
            : "";
    return tree(
        """
        {"metadata":{"name":"w","namespace":"ns","creationTimestamp":"2026-11-21T12:00:00Z"},
        "spec":{"queueName":"lq","priorityClassRef":{"name":"high"}},"status":{%s
        "schedulingStats":{"evictions":[{"reason":"Preempted","count":%d}]},"conditions":[%s]}}\
        """
            .formatted(admission, evictions, String.join(",", conditions)));
  }

  private String value(String series) {
    String wanted = series.replace('\'', '"') + " ";
    return world.lines().stream()
        .filter(it -> it.startsWith(wanted))
        .map(it -> it.substring(wanted.length()))
        .findFirst()
        .orElse("none");
  }

  /** One that waited, got quota, was admitted, became ready and finished. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          quota_reserved_workloads_total | 1.0
          quota_reserved_wait_time_seconds_sum | 3.0
          admitted_workloads_total | 1.0
          admission_wait_time_seconds_sum | 5.0
          admission_checks_wait_time_seconds_sum | 2.0
          ready_wait_time_seconds_sum | 9.0
          admitted_until_ready_wait_time_seconds_sum | 4.0
          finished_workloads_total | 1.0
          execution_time_seconds_sum | 15.0
          execution_time_seconds_count | 1
          """)
  void countsAndTimesTheWayOfAWorkloadForBothItsQueues(String name, String expected) {
    String finished = condition("Finished", true, "Succeeded", 20);
    List<JsonNode> states =
        List.of(
            workload(0),
            workload(0, RESERVED),
            workload(0, RESERVED, ADMITTED),
            workload(0, RESERVED, ADMITTED, READY),
            workload(0, RESERVED, ADMITTED, READY, finished));
    for (int i = 1; i < states.size(); i++) {
      world.seen(states.get(i - 1), states.get(i));
    }

    assertThat(
            value(
                "kueue_%s{cluster_queue='cq',priority_class='high',replica_role='leader'}"
                    .formatted(name)))
        .isEqualTo(expected);
    assertThat(
            value(
                "kueue_local_queue_%s{name='lq',namespace='ns',priority_class='high',replica_role='leader'}"
                    .formatted(name)))
        .isEqualTo(expected);
    assertThat(
            value(
                "kueue_cohort_subtree_admitted_workloads_total{cohort='all',priority_class='high',replica_role='leader'}"))
        .isEqualTo("1.0");
  }

  @ParameterizedTest
  @CsvSource({
    "kueue_admission_wait_time_seconds, 16, 40960.0",
    "kueue_local_queue_admission_wait_time_seconds, 14, 10240.0",
    "kueue_admission_checks_wait_time_seconds, 14, 10240.0"
  })
  void tellsTimesApartWhereThePeerDoes(String name, int bounds, String last) {
    world.seen(workload(0, RESERVED), workload(0, RESERVED, ADMITTED));

    List<String> buckets =
        world.lines().stream().filter(it -> it.startsWith(name + "_bucket{")).toList();
    assertThat(buckets).hasSize(bounds + 1);
    assertThat(buckets.get(bounds - 1)).contains("le=\"" + last + "\"");
    assertThat(buckets.getFirst()).contains("le=\"1.0\"");
  }

  @Test
  void countsAnEvictionEachTimeAndTheWorkloadOnce() {
    String evicted = condition("Evicted", true, "Preempted", 9);
    world.seen(workload(0, RESERVED), workload(1, RESERVED, evicted));
    world.seen(workload(1, RESERVED), workload(2, RESERVED, evicted));

    String labels =
        "{cluster_queue='cq',priority_class='high',reason='Preempted',replica_role='leader',underlying_cause=''}";
    assertThat(value("kueue_evicted_workloads_total" + labels)).isEqualTo("2.0");
    assertThat(value("kueue_evicted_workloads_once_total" + labels)).isEqualTo("1.0");
  }

  @Test
  void countsOneThatStillHasToGiveWayAndIsEvictedForAnotherReasonToo() {
    String preempted = condition("Evicted", true, "Preempted", 9);
    String deactivated = condition("Evicted", true, "Deactivated", 9);
    world.seen(workload(0, RESERVED, READY), workload(1, RESERVED, READY, preempted));
    world.seen(workload(1, RESERVED, READY, preempted), workload(2, RESERVED, READY, deactivated));
    world.seen(workload(2, RESERVED, READY, deactivated), workload(2, deactivated));

    for (String reason : List.of("Preempted", "Deactivated")) {
      assertThat(
              value(
                  "kueue_evicted_workloads_total{cluster_queue='cq',priority_class='high',reason='%s',replica_role='leader',underlying_cause=''}"
                      .formatted(reason)))
          .isEqualTo("1.0");
    }
    assertThat(world.lines())
        .filteredOn(it -> it.startsWith("kueue_pods_ready_to_evicted_time_seconds_count"))
        .as("it was ready until it was evicted first")
        .singleElement()
        .asString()
        .contains("Preempted");
  }

  @Test
  void countsOneThatIsEvictedWhileItWaitsForTheQueueItWaitsFor() {
    String evicted = condition("Evicted", true, "DeactivatedDueToRequeuingLimitExceeded", 9);
    world.seen(workload(0), workload(1, evicted));

    assertThat(
            value(
                "kueue_evicted_workloads_total{cluster_queue='cq',priority_class='high',reason='Deactivated',replica_role='leader',underlying_cause='RequeuingLimitExceeded'}"))
        .isEqualTo("1.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          due to x; preemptor path: /all/team/cq; preemptee path: /all/other | cq
          due to x; preemptor path: /cq; preemptee path: /other              | cq
          preempted                                                          | ''
          """)
  void saysWhichQueuePreempts(String message, String queue) {
    String evicted = condition("Evicted", true, "Preempted", 9);
    String preempted = condition("Preempted", true, "InCohortReclamation", message, 9);
    world.seen(workload(0, RESERVED), workload(1, RESERVED, evicted, preempted));

    assertThat(
            value(
                "kueue_preempted_workloads_total{preempting_cluster_queue='%s',reason='InCohortReclamation',replica_role='leader'}"
                    .formatted(queue)))
        .isEqualTo("1.0");
  }

  @Test
  void timesFromReadyToEvictedAndFromEvictedToFree() {
    String evicted = condition("Evicted", true, "DeactivatedDueToAdmissionCheck", 14);
    String free = condition("QuotaReserved", false, "Pending", 17);
    JsonNode told = workload(1, RESERVED, READY, evicted);
    world.seen(workload(0, RESERVED, READY), told);
    world.seen(told, workload(1, free, evicted));

    assertThat(
            value(
                "kueue_pods_ready_to_evicted_time_seconds_sum{cluster_queue='cq',reason='Deactivated',replica_role='leader',underlying_cause='AdmissionCheck'}"))
        .isEqualTo("5.0");
    assertThat(
            value(
                "kueue_workload_eviction_latency_seconds_sum{cluster_queue='cq',reason='Deactivated',replica_role='leader'}"))
        .isEqualTo("3.0");
  }

  @ParameterizedTest(name = "a Workload of the year {0}")
  @CsvSource({
    "0000-01-01T00:00:00Z, 63962481603.0",
    "0001-01-01T00:00:00Z, 63930859203.0",
    "9999-12-31T23:59:59Z, 0.0"
  })
  void timesTakeAnyDateThatAnObjectMayHave(String created, String waited) {
    JsonNode before = workload(0);
    JsonNode after = workload(0, RESERVED);
    ((ObjectNode) before.get("metadata")).put("creationTimestamp", created);
    ((ObjectNode) after.get("metadata")).put("creationTimestamp", created);
    world.seen(before, after);

    String sum =
        "kueue_quota_reserved_wait_time_seconds_sum{cluster_queue='cq',priority_class='high',replica_role='leader'}";
    assertThat(Double.parseDouble(value(sum))).isEqualTo(Double.parseDouble(waited));
  }

  @Test
  void podsThatAreReadyAgainSayNothingOfTheStart() {
    String again = condition("PodsReady", true, "Recovered", 30);
    world.seen(workload(0, RESERVED, ADMITTED), workload(0, RESERVED, ADMITTED, again));

    assertThat(world.lines()).noneMatch(it -> it.startsWith("kueue_ready_wait_time_seconds"));
  }

  @Test
  void countsSlicesThatWereReplacedAndNoOtherEnds() {
    for (String reason : List.of("WorkloadSliceReplaced", "Succeeded")) {
      world.seen(
          workload(0, RESERVED), workload(0, RESERVED, condition("Finished", true, reason, 20)));
    }

    assertThat(
            value("kueue_replaced_workload_slices_total{cluster_queue='cq',replica_role='leader'}"))
        .isEqualTo("1.0");
    assertThat(
            value(
                "kueue_finished_workloads_total{cluster_queue='cq',priority_class='high',replica_role='leader'}"))
        .isEqualTo("2.0");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, none"})
  void timesHowLongAJobWaitsForItsWorkloadUnlessItWasChangedSince(int generation, String count) {
    JsonNode job =
        tree(
            """
            {"metadata":{"generation":%d,"creationTimestamp":"2026-11-21T11:59:58Z"}}\
            """
                .formatted(generation));
    world.metrics().made("Job", job);

    assertThat(
            value(
                "kueue_workload_creation_latency_seconds_bucket{job_kind='Job',replica_role='leader',le='2.56'}"))
        .isEqualTo(count);
    assertThat(
            value(
                "kueue_workload_creation_latency_seconds_bucket{job_kind='Job',replica_role='leader',le='1.28'}"))
        .isEqualTo(count.equals("1") ? "0" : "none");
  }

  private static final String GATE = "{\"name\":\"kueue.x-k8s.io/admission\"}";
  private static final String OTHER_GATE = "{\"name\":\"example.com/other\"}";

  private static JsonNode pod(String metadata, String gates) {
    return tree(
        """
        {"metadata":{"name":"p","namespace":"ns","uid":"pod-uid",%s},
        "spec":{"schedulingGates":[%s]}}\
        """
            .formatted(metadata, gates));
  }

  private static String admittedEarlier() {
    return """
    {"type":"Admitted","status":"True","lastTransitionTime":"2026-11-21T11:59:59Z"}\
    """;
  }

  @Test
  void saysWhetherPodsNeverCameUpOrDidNotComeBack() {
    JsonNode evicted =
        tree(
            workload(1, RESERVED, condition("Evicted", true, "PodsReadyTimeout", 9))
                .toString()
                .replace(
                    "{\"reason\":\"Preempted\",\"count\":1}",
                    "{\"reason\":\"Preempted\",\"count\":0},{\"reason\":\"PodsReadyTimeout\","
                        + "\"underlyingCause\":\"WaitForStart\",\"count\":1}"));
    world.seen(workload(0, RESERVED), evicted);

    assertThat(
            value(
                "kueue_evicted_workloads_total{cluster_queue='cq',priority_class='high',reason='PodsReadyTimeout',replica_role='leader',underlying_cause='WaitForStart'}"))
        .isEqualTo("1.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "annotations":{"kueue.x-k8s.io/workload":"w"}     | false
          "labels":{"kueue.x-k8s.io/pod-group-name":"w"}    | true
          "annotations":{"kueue.x-k8s.io/pod-group-name":"w"} | true
          "labels":{}                                       | false
          """)
  void timesHowLongAPodOfAnAdmittedWorkloadIsHeldBack(String metadata, boolean isOfAGroup) {
    JsonNode workload = workload(0, RESERVED, admittedEarlier());
    world.object(ApiKind.WORKLOAD, "ns", "w", workload);
    world.owned("pod-uid", workload);

    world
        .metrics()
        .pod(
            new ObjectChange(
                Optional.of(pod(metadata, GATE + "," + OTHER_GATE)),
                Optional.of(pod(metadata, OTHER_GATE))));
    world
        .metrics()
        .pod(
            new ObjectChange(
                Optional.of(pod(metadata, OTHER_GATE)), Optional.of(pod(metadata, ""))));

    assertThat(
            value(
                "kueue_pod_scheduling_gate_removal_seconds_sum{cluster_queue='cq',is_group='%s',name='kueue.x-k8s.io/admission',replica_role='leader'}"
                    .formatted(isOfAGroup)))
        .isEqualTo("1.0");
    assertThat(world.lines())
        .filteredOn(it -> it.startsWith("kueue_pod_scheduling_gate_removal_seconds_count"))
        .hasSize(1);
  }
}
