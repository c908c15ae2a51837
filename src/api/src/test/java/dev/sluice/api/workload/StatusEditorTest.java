package dev.sluice.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusTransition.Member;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each transition writes, and that it is what {@link StatusTransition} says of it. */
class StatusEditorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:10Z");
  private static final Admission ADMISSION = new Admission("cq", List.of());
  private static final String RUNNING =
      """
      {"metadata":{"name":"w","namespace":"ns","generation":3},"spec":{"podSets":[]},
      "status":{
        "admission":{"clusterQueue":"cq","podSetAssignments":[]},
        "clusterName":"far","nominatedClusterNames":["far"],
        "unhealthyNodes":[{"name":"node"}],
        "preemptionGates":[{"name":"g","position":"Open",
          "lastTransitionTime":"2026-01-01T12:00:00Z"}],
        "admissionChecks":[{"name":"check","state":"Retry","message":"no nodes",
          "lastTransitionTime":"2026-01-01T12:00:00Z"}],
        "conditions":[
          {"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
            "lastTransitionTime":"2026-01-01T12:00:00Z"},
          {"type":"Admitted","status":"True","reason":"Admitted","message":"",
            "lastTransitionTime":"2026-01-01T12:00:00Z"}]}}
      """;
  private static final String WAITING =
      """
      {"metadata":{"name":"w","namespace":"ns"},"spec":{"podSets":[]},
      "status":{
        "resourceRequests":[{"name":"main","resources":{"cpu":"1"}}],
        "unhealthyNodes":[{"name":"node"}],
        "conditions":[
          {"type":"QuotaReserved","status":"False","reason":"Pending","message":"",
            "lastTransitionTime":"2026-01-01T12:00:00Z"},
          {"type":"Evicted","status":"True","reason":"Preempted","message":"for another",
            "lastTransitionTime":"2026-01-01T12:00:00Z"}]}}
      """;

  private static Workload workload(String json) {
    try {
      JsonNode object = new ObjectMapper().readTree(json);
      return HubObjects.read(Workload.class, object);
    } catch (Exception e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static WorkloadStatus after(String json, UnaryOperator<StatusEditor> change) {
    return change.apply(new StatusEditor(workload(json), StatusDetail.COARSE, NOW)).build();
  }

  static Stream<Arguments> transitions() {
    return Stream.of(
        Arguments.of(StatusTransition.RESERVE, WAITING, edit(it -> it.reserve(ADMISSION))),
        Arguments.of(StatusTransition.UNRESERVE, RUNNING, edit(it -> it.giveBack("Any", "any"))),
        Arguments.of(
            StatusTransition.EVICT, RUNNING, edit(it -> it.evict("Any", "Any", "", "any"))),
        Arguments.of(
            StatusTransition.REQUEUE, RUNNING, edit(it -> it.requeue(false, "Any", "any"))),
        Arguments.of(StatusTransition.FINISH, RUNNING, edit(it -> it.finish("Any", "any"))));
  }

  private static UnaryOperator<StatusEditor> edit(UnaryOperator<StatusEditor> edit) {
    return edit;
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T12:00:00Z, 0, 10",
    "2026-01-01T12:00:00Z, 100, 110",
    "2026-01-01T12:00:00Z, 2147483647, 2147483647",
    "0000-01-01T00:00:00Z, 0, 2147483647",
    "9999-12-31T23:59:59Z, 7, 7"
  })
  void theTimeThatItRanIsAddedUpWhateverTheDateOfItsAdmission(
      String admitted, int before, int after) {
    String json =
        RUNNING
            .replace("2026-01-01T12:00:00Z", admitted)
            .replace(
                "\"clusterName\"",
                "\"accumulatedPastExecutionTimeSeconds\":" + before + ",\"clusterName\"");

    WorkloadStatus status = after(json, it -> it.giveBack("Any", "any"));

    assertThat(status.accumulatedPastExecutionTimeSeconds()).isEqualTo(after);
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void eachTransitionIsRecognisedAsItself(
      StatusTransition transition, String json, UnaryOperator<StatusEditor> change) {
    WorkloadStatus before = workload(json).status();
    assertThat(StatusTransition.between(before, after(json, change))).contains(transition);
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void aTransitionChangesNoMemberOfAnotherOne(
      StatusTransition transition, String json, UnaryOperator<StatusEditor> change) {
    WorkloadStatus before = workload(json).status();
    WorkloadStatus after = after(json, change);
    Set<StatusTransition> all = StatusTransition.between(before, after);
    List<Member> foreign =
        Arrays.stream(Member.values())
            .filter(it -> it != Member.ACCUMULATED_PAST_EXECUTION_TIME_SECONDS)
            .filter(it -> it != Member.UNHEALTHY_NODES || transition != StatusTransition.RESERVE)
            .filter(it -> all.stream().noneMatch(each -> each.has(it)))
            .filter(it -> !Objects.equals(member(it, before), member(it, after)))
            .toList();
    assertThat(foreign).isEmpty();
  }

  private static Object member(Member member, WorkloadStatus status) {
    Object value =
        switch (member) {
          case ADMISSION -> status.admission();
          case ADMISSION_CHECKS -> status.admissionChecks();
          case REQUEUE_STATE -> status.requeueState();
          case RECLAIMABLE_PODS -> status.reclaimablePods();
          case RESOURCE_REQUESTS -> status.resourceRequests();
          case PREEMPTION_GATES -> status.preemptionGates();
          case ACCUMULATED_PAST_EXECUTION_TIME_SECONDS ->
              status.accumulatedPastExecutionTimeSeconds();
          case SCHEDULING_STATS -> status.schedulingStats();
          case NOMINATED_CLUSTER_NAMES -> status.nominatedClusterNames();
          case CLUSTER_NAME -> status.clusterName();
          case UNHEALTHY_NODES -> status.unhealthyNodes();
        };
    return value == null ? "" : value;
  }

  private static String conditions(WorkloadStatus status) {
    return status.conditions().stream()
        .map(it -> it.type() + " " + it.status().text() + " " + it.reason())
        .collect(Collectors.joining(", "));
  }

  @Test
  void aReservationEndsAnEvictionAndWhatWaitedForIt() {
    WorkloadStatus status = after(WAITING, it -> it.reserve(ADMISSION));
    assertThat(conditions(status))
        .isEqualTo("QuotaReserved True QuotaReserved, Evicted False QuotaReserved");
    assertThat(status.condition(ConditionTypes.EVICTED).map(Condition::message))
        .contains("Previously: for another");
    assertThat(status.admission()).isEqualTo(ADMISSION);
    assertThat(status.resourceRequests()).isEmpty();
    assertThat(status.unhealthyNodes()).isEmpty();
  }

  @Test
  void quotaThatIsGivenBackLeavesNoAdmissionAndAddsUpTheTimeThatTheJobRan() {
    WorkloadStatus status = after(RUNNING, it -> it.giveBack("PendingEvaluation", "over"));
    assertThat(conditions(status))
        .isEqualTo("QuotaReserved False Pending, Admitted False NoReservationUnsatisfiedChecks");
    assertThat(status.admission()).isNull();
    assertThat(status.accumulatedPastExecutionTimeSeconds()).isEqualTo(10);
  }

  @Test
  void anEvictedWorkloadKeepsItsQuotaAndItsChecksBeginAgain() {
    WorkloadStatus status =
        after(RUNNING, it -> it.evict(Reasons.NODE_FAILURES, Reasons.NODE_FAILURES, "", "lost"));
    assertThat(status.isTrue(ConditionTypes.QUOTA_RESERVED)).isTrue();
    assertThat(status.admission()).isEqualTo(ADMISSION);
    assertThat(status.admissionChecks().getFirst().state()).isEqualTo(CheckState.PENDING);
    assertThat(status.admissionChecks().getFirst().retryCount()).isEqualTo(1);
    assertThat(status.preemptionGates().getFirst().position()).isEqualTo(GatePosition.CLOSED);
    assertThat(status.schedulingStats())
        .isEqualTo(new SchedulingStats(List.of(new EvictionCount("NodeFailures", "", 1))));
    assertThat(status.clusterName()).isNull();
    assertThat(status.nominatedClusterNames()).isEmpty();
    assertThat(status.unhealthyNodes()).isEmpty();
  }

  @Test
  void aConditionHasTheGenerationThatItWasWrittenFor() {
    assertThat(after(RUNNING, it -> it.finish("Succeeded", "done")).condition("Finished"))
        .map(Condition::observedGeneration)
        .contains(3L);
  }

  @Test
  void whatIsNotChangedStays() {
    assertThat(after(RUNNING, it -> it)).isEqualTo(workload(RUNNING).status());
  }
}
