package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.ListItemConversion;
import dev.sluice.conversion.step.Shorthand;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import java.util.List;

/**
 * Workload: the priority class became a reference, topology assignments a compressed form; gates
 * and layered slices came with v1beta2, and v1beta1 spells a word with an x too many.
 */
final class WorkloadSteps {
  private static final String CONSTRAINTS = "podsetSliceRequiredTopologyConstraints";
  private static final String SLICE_TOPOLOGY = "podSetSliceRequiredTopology";
  private static final String SLICE_SIZE = "podSetSliceSize";
  private static final List<String> STATUS = List.of("status");

  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(
                  PriorityClass.MATTER,
                  FieldConversion.onlyInNewer(
                      "preemptionGates", List.of("spec"), "preemptionGates"),
                  new ListItemConversion(
                      "sliceConstraints",
                      List.of("spec", "podSets"),
                      "topologyRequest",
                      List.of(SLICE_TOPOLOGY, SLICE_SIZE, CONSTRAINTS),
                      value -> value,
                      WorkloadSteps::withoutConstraints,
                      Shorthand.NONE),
                  FieldConversion.renamed(
                      "accumulatedTime",
                      STATUS,
                      "accumulatedPastExexcutionTimeSeconds",
                      "accumulatedPastExecutionTimeSeconds"),
                  FieldConversion.onlyInNewer("statusPreemptionGates", STATUS, "preemptionGates"),
                  new AssignmentCheck(),
                  TopologyAssignment.MATTER)));

  private WorkloadSteps() {}

  private static JsonObject withoutConstraints(JsonObject value) {
    JsonObject mapped = new JsonObject();
    for (String key : List.of(SLICE_TOPOLOGY, SLICE_SIZE)) {
      Json member = value.get(key);
      if (member != null) {
        mapped.put(key, member);
      }
    }
    return mapped;
  }
}
