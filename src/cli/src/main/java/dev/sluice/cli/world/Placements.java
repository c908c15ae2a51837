package dev.sluice.cli.world;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.TopologyAssignmentSlice;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelIndividualValues;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelValues;
import dev.sluice.api.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** Where the pods of workloads are placed, unpacked from the slices that an admission keeps. */
public final class Placements {
  private Placements() {}

  /**
   * So many pods in one domain.
   *
   * @param values one for each level, widest first
   */
  public record Domain(List<String> values, int pods) {
    /** Copies what is given. */
    public Domain {
      values = List.copyOf(values);
    }
  }

  /** The domains of an assignment in their order, whatever slices they were packed in. */
  public static List<Domain> domains(TopologyAssignment assignment) {
    List<Domain> domains = new ArrayList<>();
    for (TopologyAssignmentSlice slice : assignment.slices()) {
      for (int i = 0; i < slice.domainCount(); i++) {
        List<String> values = new ArrayList<>();
        for (TopologyAssignmentSliceLevelValues level : slice.valuesPerLevel()) {
          values.add(value(level, i));
        }
        domains.add(new Domain(values, pods(slice, i)));
      }
    }
    return domains;
  }

  private static String value(TopologyAssignmentSliceLevelValues level, int index) {
    String universal = level.universal();
    TopologyAssignmentSliceLevelIndividualValues individual = level.individual();
    if (universal != null || individual == null || index >= individual.roots().size()) {
      return universal == null ? "" : universal;
    }
    String prefix = individual.prefix();
    String suffix = individual.suffix();
    return (prefix == null ? "" : prefix)
        + individual.roots().get(index)
        + (suffix == null ? "" : suffix);
  }

  private static int pods(TopologyAssignmentSlice slice, int index) {
    Integer universal = slice.podCounts().universal();
    List<Integer> individual = slice.podCounts().individual();
    if (universal != null) {
      return universal;
    }
    return index < individual.size() ? individual.get(index) : 0;
  }

  /** Whether some pods of a workload are placed on the node of this name. */
  static boolean runsOn(Workload workload, String node) {
    Admission admission = workload.status().admission();
    return admission != null
        && admission.podSetAssignments().stream()
            .map(PodSetAssignment::topologyAssignment)
            .anyMatch(assignment -> assignment != null && isOn(assignment, node));
  }

  private static boolean isOn(TopologyAssignment assignment, String node) {
    return domains(assignment).stream()
        .anyMatch(domain -> !domain.values().isEmpty() && domain.values().getLast().equals(node));
  }
}
