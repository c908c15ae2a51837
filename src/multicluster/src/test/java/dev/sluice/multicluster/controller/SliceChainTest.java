package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.multicluster.protocol.PlacementConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slices of one elastic job, each of which replaces the one before. */
class SliceChainTest {
  private static final PlacementConstraint UNCONSTRAINED = new PlacementConstraint.Unconstrained();

  private final List<JsonNode> slices = new ArrayList<>();

  private ObjectNode slice(String name, String replaces, String cluster) {
    ObjectNode slice =
        (ObjectNode)
            Lookup.tree(
                """
                {'metadata': {'namespace': 'ns', 'name': '%s', 'annotations':
                  {'kueue.x-k8s.io/workload-slice-name': 's1'}}, 'status': {'conditions': []}}
                """
                    .formatted(name));
    if (!replaces.isEmpty()) {
      slice
          .withObject("/metadata/annotations")
          .put("kueue.x-k8s.io/workload-slice-replacement-for", "ns/" + replaces);
    }
    if (!cluster.isEmpty()) {
      slice.withObject("/status").put("clusterName", cluster);
    }
    slices.add(slice);
    return slice;
  }

  private static ObjectNode with(ObjectNode slice, String condition, String reason) {
    slice
        .withObject("/status")
        .withArrayProperty("conditions")
        .addObject()
        .put("type", condition)
        .put("status", "True")
        .put("reason", reason);
    return slice;
  }

  private static ObjectNode reserved(ObjectNode slice) {
    return with(slice, "QuotaReserved", "QuotaReserved");
  }

  private static ObjectNode replaced(ObjectNode slice) {
    return with(reserved(slice), "Finished", "WorkloadSliceReplaced");
  }

  private PlacementConstraint of(JsonNode slice) {
    return new SliceChain(slices).constraint(slice);
  }

  @Test
  void theFirstOneGoesAnywhere() {
    assertThat(of(reserved(slice("s1", "", "")))).isEqualTo(UNCONSTRAINED);
  }

  @Test
  void oneWithQuotaTakesTheJobOverFromTheOneThatItReplaced() {
    JsonNode first = replaced(slice("s1", "", "a"));
    JsonNode second = reserved(slice("s2", "s1", ""));

    assertThat(of(second)).isEqualTo(new PlacementConstraint.TakeOver("a", Set.of("s1")));
    assertThat(of(first)).isEqualTo(new PlacementConstraint.Replaced());
  }

  @Test
  void oneThatReplacedASliceWhichNeverRanTakesTheJobOverFromTheOneBefore() {
    JsonNode first = replaced(slice("s1", "", "a"));
    JsonNode second = replaced(slice("s2", "s1", ""));
    JsonNode third = reserved(slice("s3", "s2", ""));

    assertThat(of(third)).isEqualTo(new PlacementConstraint.TakeOver("a", Set.of("s1", "s2")));
    assertThat(of(first)).isEqualTo(new PlacementConstraint.Replaced());
    assertThat(of(second)).isEqualTo(new PlacementConstraint.Replaced());
  }

  @Test
  void oneThatReplacedASliceWhichRanNowhereGoesAnywhere() {
    replaced(slice("s1", "", ""));

    assertThat(of(reserved(slice("s2", "s1", "")))).isEqualTo(UNCONSTRAINED);
  }

  @Test
  void oneWaitsUntilTheOneThatItReplacesHasEndedHere() {
    reserved(slice("s1", "", "a"));

    assertThat(of(reserved(slice("s2", "s1", "")))).isInstanceOf(PlacementConstraint.WaitFor.class);
  }

  @ParameterizedTest
  @CsvSource({"no quota", "evicted", "evicted before", "finished", "being deleted"})
  void oneThatCannotGoOnTakesNothingOver(String how) {
    JsonNode first = replaced(slice("s1", "", "a"));
    ObjectNode second = slice("s2", "s1", "");
    switch (how) {
      case "evicted" -> with(reserved(second), "Evicted", "Preempted");
      case "evicted before" ->
          reserved(second)
              .withObject("/status/schedulingStats")
              .putArray("evictions")
              .addObject()
              .put("count", 1);
      case "finished" -> with(reserved(second), "Finished", "Succeeded");
      case "being deleted" ->
          reserved(second).withObject("/metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");
      default -> {}
    }

    assertThat(of(second)).isEqualTo(UNCONSTRAINED);
    assertThat(of(first)).as("so its job is stopped").isEqualTo(UNCONSTRAINED);
  }

  @Test
  void oneWhoseForerunnerIsDeletedGoesWhereItIsOffered() {
    ObjectNode second = reserved(slice("s2", "s1", ""));
    assertThat(of(second)).isEqualTo(UNCONSTRAINED);

    second.withObject("/status").putArray("nominatedClusterNames").add("a");

    assertThat(of(second)).isEqualTo(new PlacementConstraint.TakeOver("a", Set.of("s1")));
  }

  @Test
  void aCircleOfSlicesEnds() {
    JsonNode first = replaced(slice("s1", "s2", ""));
    JsonNode second = replaced(slice("s2", "s1", ""));
    JsonNode third = reserved(slice("s3", "s1", ""));

    assertThat(of(first)).isEqualTo(UNCONSTRAINED);
    assertThat(of(second)).isEqualTo(UNCONSTRAINED);
    assertThat(of(third)).isEqualTo(UNCONSTRAINED);
  }
}
