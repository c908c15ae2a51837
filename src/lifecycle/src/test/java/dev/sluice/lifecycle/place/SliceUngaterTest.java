package dev.sluice.lifecycle.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.reconcile.SliceOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods of a job that grows wait until there is quota for as many. */
class SliceUngaterTest {
  private static final ObjectMapper YAML = new YAMLMapper();

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode workload(String name, int second, int count, String... conditions) {
    List<String> list =
        Stream.of(conditions)
            .map(
                it ->
                    "{type: %s, status: \"True\", reason: r, message: m, lastTransitionTime: \"2026-01-01T00:00:00Z\"}"
                        .formatted(it))
            .toList();
    return yaml(
        """
        metadata: {name: %s, namespace: team, creationTimestamp: "2026-01-01T00:00:%02dZ"}
        spec: {podSets: [{name: main, count: %d, template: {spec: {}}}]}
        status: {conditions: %s, admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 4}]}}
        """
            .formatted(name, second, count, list));
  }

  private static JsonNode pod(String name) {
    return yaml(
        """
        metadata:
          {name: %s, namespace: team, uid: u-%s, resourceVersion: "7", labels: {kueue.x-k8s.io/podset: main}}
        spec: {schedulingGates: [{name: other}, {name: kueue.x-k8s.io/elastic-job}]}
        status: {phase: Pending}
        """
            .formatted(name, name));
  }

  private static JsonNode going(String name, String phase) {
    return yaml(
        """
        metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/podset: main}}
        spec: {}
        status: {phase: %s}
        """
            .formatted(name, phase));
  }

  private static List<String> letGo(int count, JsonNode... pods) {
    return letGo(workload("w", 1, count, "QuotaReserved", "Admitted"), pods);
  }

  private static List<String> letGo(JsonNode object, JsonNode... pods) {
    Workload workload = HubObjects.read(Workload.class, object);
    List<Write> writes = SliceUngater.plan(workload, Stream.of(pods).map(GatedPod::new).toList());
    for (Write write : writes) {
      Write.MergePatch patch = (Write.MergePatch) write;
      assertThat(patch.resourceVersion()).isEqualTo("7");
      assertThat(patch.patch())
          .hasToString("{\"spec\":{\"schedulingGates\":[{\"name\":\"other\"}]}}");
    }
    return writes.stream().map(it -> it.target().name()).toList();
  }

  @Test
  void asManyStartAsThereIsQuotaForTheFirstByNameFirst() {
    assertThat(letGo(4, pod("e"), pod("d"), pod("c"), pod("b"), pod("a")))
        .containsExactly("a", "b", "c", "d");
  }

  @ParameterizedTest
  @CsvSource({"Running, 1", "Pending, 1", "Succeeded, 2", "Failed, 2"})
  void thoseThatGoOnTakeOfIt(String phase, int left) {
    assertThat(letGo(2, going("z", phase), pod("a"), pod("b"), pod("c"))).hasSize(left);
  }

  @Test
  void aJobThatShrankHasQuotaForAsManyAsItStillWants() {
    assertThat(letGo(1, pod("a"), pod("b"))).containsExactly("a");
    assertThat(letGo(1, going("z", "Running"), pod("a"))).isEmpty();
  }

  /** The Workload of two pods, with what a check adds to them. */
  private static JsonNode checked(String update) {
    JsonNode workload = workload("w", 1, 2, "QuotaReserved", "Admitted");
    ((ObjectNode) workload.path("status"))
        .putArray("admissionChecks")
        .add(
            yaml(
                """
                {name: c, state: Ready, lastTransitionTime: "2026-01-01T00:00:00Z", message: m,
                 podSetUpdates: [{name: other, labels: {a: b}}, {name: main, %s}]}
                """
                    .formatted(update)));
    return workload;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels: {a: b}         | metadata: {}                      | metadata: {labels: {a: b}}",
        "annotations: {a: b}    | metadata: {}                      | metadata: {annotations: {a:"
            + " b}}",
        "annotations: {a: b}    | metadata: {annotations: {a: own}} | {}",
        "nodeSelector: {a: b}   | spec: {nodeSelector: {c: d}}      | spec: {nodeSelector: {a: b}}",
        "nodeSelector: {a: b}   | spec: {nodeSelector: {a: b}}      | {}",
        "tolerations: [{key: k}] | spec: {tolerations: [{key: o}]}  | spec: {tolerations: [{key:"
            + " o}, {key: k}]}",
        "tolerations: [{key: k}] | spec: {tolerations: [{key: k}]}  | {}",
      })
  void aPodGetsWhatTheChecksOfItsWorkloadAdd(String update, String has, String gets) {
    ObjectNode pod = (ObjectNode) pod("a");
    yaml(has)
        .properties()
        .forEach(it -> pod.withObject("/" + it.getKey()).setAll((ObjectNode) it.getValue()));
    Workload workload = HubObjects.read(Workload.class, checked(update));

    Write write = SliceUngater.plan(workload, List.of(new GatedPod(pod))).getFirst();

    ObjectNode expected = (ObjectNode) yaml(gets);
    expected.withObject("/spec").putArray("schedulingGates").addObject().put("name", "other");
    assertThat(((Write.MergePatch) write).patch()).isEqualTo(expected);
  }

  @Test
  void aPodThatMustNotBeWhereACheckWantsItStaysHeldAndTakesNoPlace() {
    ObjectNode elsewhere = (ObjectNode) pod("a");
    elsewhere.withObject("/spec/nodeSelector").put("zone", "own");
    Workload workload = HubObjects.read(Workload.class, checked("nodeSelector: {zone: theirs}"));

    assertThat(
            SliceUngater.plan(
                workload,
                Stream.of(elsewhere, pod("b"), pod("c"), pod("d")).map(GatedPod::new).toList()))
        .extracting(it -> it.target().name())
        .containsExactly("b", "c");
  }

  @Test
  void anAdmissionThatIsLeftOverLetsNobodyGo() {
    assertThat(letGo(workload("w", 1, 2), pod("a"), pod("b"))).isEmpty();
  }

  @Test
  void onePodThatIsBeingDeletedIsLeftAlone() {
    JsonNode leaving = pod("a");
    ((ObjectNode) leaving.path("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");

    assertThat(letGo(1, leaving, pod("b"))).containsExactly("b");
  }

  @Test
  void goesByTheNewestThatIsAdmittedAndGoesOn() {
    JsonNode first = workload("a", 1, 2, "QuotaReserved", "Admitted", "Finished");
    JsonNode second = workload("b", 2, 2, "QuotaReserved", "Admitted");
    JsonNode evicted = workload("c", 3, 2, "QuotaReserved", "Admitted", "Evicted");
    JsonNode checked = workload("d", 4, 2, "QuotaReserved");

    assertThat(SliceOrder.newestAdmitted(List.of(first, second, evicted, checked)))
        .contains(second);
    assertThat(SliceOrder.newestAdmitted(List.of(first, checked))).isEmpty();
  }

  @Test
  void whoeverTookOverIsNewerWhateverTheClockSays() {
    JsonNode old = workload("a", 2, 2, "QuotaReserved", "Admitted");
    JsonNode taking = workload("b", 2, 4, "QuotaReserved", "Admitted");
    JsonNode third = workload("c", 1, 6, "QuotaReserved", "Admitted");
    takeOver(taking, "team/a");
    takeOver(third, "team/b");

    assertThat(SliceOrder.newestAdmitted(List.of(third, old, taking))).contains(third);
  }

  private static void takeOver(JsonNode slice, String from) {
    ((ObjectNode) slice.path("metadata"))
        .putObject("annotations")
        .put("kueue.x-k8s.io/workload-slice-replacement-for", from);
  }
}
