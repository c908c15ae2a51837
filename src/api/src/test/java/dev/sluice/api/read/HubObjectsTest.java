package dev.sluice.api.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.api.ApiKind;
import dev.sluice.api.Quantity;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.queue.AdmissionMode;
import dev.sluice.api.queue.AdmissionScope;
import dev.sluice.api.queue.BorrowWithinCohortPolicy;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.FairSharing;
import dev.sluice.api.queue.FlavorFungibilityPolicy;
import dev.sluice.api.queue.QueueingStrategy;
import dev.sluice.api.queue.ReclaimPolicy;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HubObjectsTest {
  @Test
  void whatAnObjectLeavesOutHasItsDefault() {
    ClusterQueue queue = read(ClusterQueue.class, "{}");

    assertThat(queue.metadata().name()).isEmpty();
    assertThat(queue.spec().queueingStrategy()).isEqualTo(QueueingStrategy.BEST_EFFORT_FIFO);
    assertThat(queue.spec().stopPolicy()).isEqualTo(StopPolicy.NONE);
    assertThat(queue.spec().flavorFungibility().whenCanPreempt())
        .isEqualTo(FlavorFungibilityPolicy.TRY_NEXT_FLAVOR);
    assertThat(queue.spec().preemption().borrowWithinCohort().policy())
        .isEqualTo(BorrowWithinCohortPolicy.NEVER);
    assertThat(queue.spec().resourceGroups()).isEmpty();
    assertThat(queue.spec().cohortName()).isNull();
  }

  @Test
  void aDefaultInsideAnObjectHoldsWhereThatObjectIsGiven() {
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {"spec": {"preemption": {"reclaimWithinCohort": "Any"}, "fairSharing": {}}}
            """);

    assertThat(queue.spec().preemption().reclaimWithinCohort()).isEqualTo(ReclaimPolicy.ANY);
    assertThat(queue.spec().preemption().borrowWithinCohort().policy())
        .isEqualTo(BorrowWithinCohortPolicy.NEVER);
    assertThat(queue.spec().fairSharing()).isEqualTo(new FairSharing(Quantity.of(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Foo"})
  void aModeThatOnlyV1beta1AllowsIsAsIfThereWasNone(String mode) {
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            "{\"spec\": {\"admissionScope\": {\"admissionMode\": \"%s\"}}}".formatted(mode));

    assertThat(queue.spec().admissionScope())
        .isEqualTo(new AdmissionScope(AdmissionMode.NO_ADMISSION_FAIR_SHARING));
  }

  @Test
  void aSelectorThatIsMissingAndOneThatIsEmptyAreNotTheSame() {
    assertThat(read(ClusterQueue.class, "{}").spec().namespaceSelector()).isNull();
    assertThat(
            read(ClusterQueue.class, "{\"spec\": {\"namespaceSelector\": {}}}")
                .spec()
                .namespaceSelector())
        .isEqualTo(new LabelSelector(Map.of(), List.of()));
  }

  @Test
  void readsAWorkloadDownToTheContainersOfItsPods() {
    Workload workload =
        read(
            Workload.class,
            """
            {"metadata": {"name": "w", "namespace": "team", "creationTimestamp": "2026-01-31T12:00:00Z"},
             "spec": {"active": false, "podSets": [{"template": {"spec": {
               "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": 2, "memory": "1Gi"}}}],
               "initContainers": [{"name": "side", "restartPolicy": "Always"}]}}}]}}
            """);

    assertThat(workload.metadata().creationTimestamp())
        .isEqualTo(Instant.parse("2026-01-31T12:00:00Z"));
    assertThat(workload.spec().active()).isFalse();
    var podSet = workload.spec().podSets().getFirst();
    assertThat(podSet.name()).isEqualTo("main");
    assertThat(podSet.count()).isEqualTo(1);
    assertThat(podSet.template().spec().containers().getFirst().resources().requests())
        .containsExactly(
            Map.entry("cpu", Quantity.of(2)), Map.entry("memory", Quantity.of(1L << 30)));
    assertThat(podSet.template().spec().initContainers().getFirst().restartPolicy())
        .isEqualTo("Always");
  }

  @Test
  void aFieldWhoseNameIsAWordOfJavaIsReadToo() {
    LimitRange range =
        read(
            LimitRange.class,
            """
            {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}}
            """);

    assertThat(range.spec().limits().getFirst().defaultLimit()).containsOnlyKeys("cpu");
  }

  @ParameterizedTest
  @EnumSource
  void anyKindIsReadFromItsFieldsWithoutThoseWeDoNotKnow(ApiKind kind) {
    String json =
        """
        {"metadata": {"name": "n"}, "novelty": [1], "value": 1,
         "spec": {"controllerName": "c", "clusterSource": {}, "provisioningClassName": "p", "novelty": {}}}
        """;

    var object = HubObjects.read(kind, json.getBytes(UTF_8));

    assertThat(object).isInstanceOf(HubObjects.type(kind));
    assertThat(object.getClass().getSimpleName()).isEqualTo(kind.kind());
    assertThat(object.metadata().name()).isEqualTo("n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"spec": {"priority": "high"}}                        | spec.priority | "high" (expected: an integer of 32 bits)
          {"spec": {"priority": 3000000000}}                    | spec.priority | 3000000000 (expected: an integer of 32 bits)
          {"spec": {"active": "yes"}}                           | spec.active | "yes" (expected: true or false)
          {"spec": {"podSets": {}}}                             | spec.podSets | {} (expected: a list)
          {"spec": {"podSets": [{"template": {}}, {}]}}         | spec.podSets[1].template | is missing
          {"spec": {"podSets": [null]}}                         | spec.podSets[0] | null (expected: a value)
          {"spec": 7}                                           | spec | 7 (expected: an object)
          {"status": {"admission": {"podSetAssignments": [{"resourceUsage": {"cpu": "many"}}]}}} | status.admission.podSetAssignments[0].resourceUsage[cpu] | "many" (expected: a quantity)
          {"status": {"requeueState": {"requeueAt": "soon"}}}   | status.requeueState.requeueAt | "soon" (expected: a time like 2026-01-31T12:00:00Z)
          {"status": {"preemptionGates": [{"name": "g", "position": "Ajar"}]}} | status.preemptionGates[0].position | "Ajar" (expected: Closed or Open)
          []                                                    | the object | [] (expected: an object)
          """)
  void saysWhichFieldIsWrongAndWhatWasExpected(String json, String field, String problem) {
    assertThatExceptionOfType(MalformedObjectException.class)
        .isThrownBy(() -> read(Workload.class, json))
        .withMessage("Workload: " + field + ": " + problem)
        .satisfies(e -> assertThat(e.field()).isEqualTo(field));
  }

  @Test
  void namesTheObjectThatIsWrong() {
    assertThatExceptionOfType(MalformedObjectException.class)
        .isThrownBy(
            () ->
                read(
                    Workload.class,
                    "{\"metadata\": {\"name\": \"w\", \"namespace\": \"team\"}, \"spec\": 7}"))
        .withMessageStartingWith("Workload team/w: spec: ");
  }

  @Test
  void refusesBytesThatAreNoJson() {
    assertThatExceptionOfType(MalformedObjectException.class)
        .isThrownBy(() -> read(Workload.class, "{\"spec\": "))
        .withMessageStartingWith("Workload: the object: is no JSON: ");
  }

  @Test
  void whatWasReadCannotBeChanged() {
    Workload workload =
        read(Workload.class, "{\"metadata\": {\"labels\": {\"b\": \"1\", \"a\": \"2\"}}}");

    assertThat(workload.metadata().labels())
        .containsExactly(Map.entry("b", "1"), Map.entry("a", "2"));
    assertThat(workload.metadata().labels()).isUnmodifiable();
    assertThat(workload.spec().podSets()).isUnmodifiable();
  }

  @Test
  void whatIsWrittenIsReadBackAsTheSame() {
    String json =
        """
        {"metadata": {"name": "w", "namespace": "team", "creationTimestamp": "2026-01-31T12:00:00Z"},
         "spec": {"queueName": "q", "priority": 7, "podSets": [{"name": "main", "count": 2, "template": {"spec": {
           "containers": [{"name": "c", "resources": {"requests": {"memory": "1Gi"}}}]}}}]},
         "status": {"conditions": [{"type": "Admitted", "status": "True", "reason": "Admitted",
           "message": "", "lastTransitionTime": "2026-01-31T12:00:01Z"}]}}
        """;
    Workload workload = read(Workload.class, json);

    var written = HubObjects.write(workload);

    assertThat(HubObjects.read(Workload.class, written)).isEqualTo(workload);
    assertThat(written.at("/spec/podSets/0/template/spec/containers/0/resources/requests/memory"))
        .hasToString("\"1Gi\"");
    assertThat(written.at("/status").has("admission")).isFalse();
    assertThat(written.at("/spec").has("preemptionGates")).isFalse();
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.getBytes(UTF_8));
  }
}
