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
