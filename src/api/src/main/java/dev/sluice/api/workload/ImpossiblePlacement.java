package dev.sluice.api.workload;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a topology assignment cannot be where the pods of a pod set are. Admission refuses such a
 * one; of one that was stored before, nothing is booked and no pod is placed by it.
 *
 * @param field the field in the topology assignment, such as {@code slices[0].domainCount}
 * @param value what is there, or what it adds up to; null where there is no number to show
 * @param problem what was expected
 */
// Found in the size of what is stored. Code that expands an assignment asks this first, so that no
// assignment makes more than TopologyAssignmentSize.MAX_DOMAINS of anything.
public record ImpossiblePlacement(String field, @Nullable Long value, String problem) {

  /** What is wrong with the assignment by itself, whatever it is for. */
  public static Optional<ImpossiblePlacement> of(TopologyAssignment assignment) {
    return Optional.ofNullable(form(assignment));
  }

  /**
   * What is wrong with an assignment that is for so many pods. Kueue places whole slices of pods
   * only, so the pods of a last slice that is not full may be left out.
   *
   * @param request what the pod set asks for; null for nothing
   * @param placedLater whether the places were found after the quota was reserved: then fewer pods
   *     may have been left to place
   */
  public static Optional<ImpossiblePlacement> of(
      TopologyAssignment assignment,
      long pods,
      @Nullable TopologyRequest request,
      boolean placedLater) {
    ImpossiblePlacement form = form(assignment);
    return Optional.ofNullable(
        form == null ? sum(assignment, pods, sliceSize(request), placedLater) : form);
  }

  /**
   * What is wrong with the places of the pod set, where it has some. They are for as many pods as
   * the assignment counts, which is as many as the pod set has where it says nothing; places that
   * were found later may be for fewer.
   */
  public static Optional<ImpossiblePlacement> of(PodSetAssignment assignment, PodSet podSet) {
    TopologyAssignment topology = assignment.topologyAssignment();
    Integer count = assignment.count();
    return topology == null
        ? Optional.empty()
        : of(
            topology,
            count == null ? podSet.count() : count,
            podSet.topologyRequest(),
            assignment.delayedTopologyRequest() == DelayedTopologyRequestState.READY);
  }

  /** The first impossible placement of an admission, with its field from {@code status} on. */
  public static Optional<ImpossiblePlacement> of(Admission admission, List<PodSet> podSets) {
    List<PodSetAssignment> assignments = admission.podSetAssignments();
    for (int i = 0; i < assignments.size(); i++) {
      PodSetAssignment assignment = assignments.get(i);
      for (PodSet podSet : podSets) {
        Optional<ImpossiblePlacement> found =
            podSet.name().equals(assignment.name()) ? of(assignment, podSet) : Optional.empty();
        if (found.isPresent()) {
          return Optional.of(found.get().below("status.admission.podSetAssignments[" + i + "]"));
        }
      }
    }
    return Optional.empty();
  }

  private ImpossiblePlacement below(String parent) {
    return new ImpossiblePlacement(parent + ".topologyAssignment." + field, value, problem);
  }

  /** The sentence with its field and value. */
  public String text() {
    return field + ": " + (value == null ? "" : value + ": ") + problem;
  }

  private static @Nullable ImpossiblePlacement form(TopologyAssignment assignment) {
    if (assignment.levels().isEmpty()) {
      return new ImpossiblePlacement("levels", null, "must have at least one level");
    }
    int levels = assignment.levels().size();
    for (int i = 0; i < assignment.slices().size(); i++) {
      ImpossiblePlacement found = slice(assignment.slices().get(i), levels, "slices[" + i + "].");
      if (found != null) {
        return found;
      }
    }
    TopologyAssignmentSize size = TopologyAssignmentSize.of(assignment);
    if (size.domains() > TopologyAssignmentSize.MAX_DOMAINS) {
      return new ImpossiblePlacement(
          "slices",
          size.domains(),
          "must stand for at most " + TopologyAssignmentSize.MAX_DOMAINS + " domains");
    }
    if (size.pods() > Integer.MAX_VALUE) {
      return new ImpossiblePlacement(
          "slices", size.pods(), "must have places for at most " + Integer.MAX_VALUE + " pods");
    }
    return null;
  }

  private static @Nullable ImpossiblePlacement slice(
      TopologyAssignmentSlice slice, int levels, String path) {
    if (slice.domainCount() < 1) {
      return new ImpossiblePlacement(
          path + "domainCount", (long) slice.domainCount(), "must be at least 1");
    }
    int values = slice.valuesPerLevel().size();
    if (values != levels) {
      return new ImpossiblePlacement(
          path + "valuesPerLevel",
          (long) values,
          "must have an entry for each of the %d levels".formatted(levels));
    }
    for (int i = 0; i < values; i++) {
      ImpossiblePlacement found =
          values(slice, slice.valuesPerLevel().get(i), path + "valuesPerLevel[" + i + "]");
      if (found != null) {
        return found;
      }
    }
    return counts(slice, path + "podCounts");
  }

  private static @Nullable ImpossiblePlacement values(
      TopologyAssignmentSlice slice, TopologyAssignmentSliceLevelValues level, String path) {
    TopologyAssignmentSliceLevelIndividualValues individual = level.individual();
    if ((level.universal() == null) == (individual == null)) {
      return oneOf(path);
    }
    return individual == null
        ? null
        : eachDomain(slice, individual.roots(), path + ".individual.roots");
  }

  private static @Nullable ImpossiblePlacement counts(TopologyAssignmentSlice slice, String path) {
    Integer universal = slice.podCounts().universal();
    List<Integer> individual = slice.podCounts().individual();
    if ((universal == null) == individual.isEmpty()) {
      return oneOf(path);
    }
    if (universal != null) {
      return universal < 1 ? tooFew(path + ".universal", universal) : null;
    }
    ImpossiblePlacement found = eachDomain(slice, individual, path + ".individual");
    for (int i = 0; found == null && i < individual.size(); i++) {
      int count = individual.get(i);
      found = count < 1 ? tooFew(path + ".individual[" + i + "]", count) : null;
    }
    return found;
  }

  private static ImpossiblePlacement oneOf(String path) {
    return new ImpossiblePlacement(path, null, "must have either universal or individual");
  }

  private static ImpossiblePlacement tooFew(String path, int count) {
    return new ImpossiblePlacement(path, (long) count, "must be at least 1");
  }

  private static @Nullable ImpossiblePlacement eachDomain(
      TopologyAssignmentSlice slice, List<?> list, String path) {
    return list.size() == slice.domainCount()
        ? null
        : new ImpossiblePlacement(
            path,
            (long) list.size(),
            "must have an entry for each of the %d domains".formatted(slice.domainCount()));
  }

  private static @Nullable ImpossiblePlacement sum(
      TopologyAssignment assignment, long pods, long sliceSize, boolean fewer) {
    long placed = TopologyAssignmentSize.of(assignment).pods();
    return placed == pods || placed == pods - pods % sliceSize || (fewer && placed < pods)
        ? null
        : new ImpossiblePlacement(
            "slices", placed, "must have places for the %d pods of the assignment".formatted(pods));
  }

  private static long sliceSize(@Nullable TopologyRequest request) {
    if (request == null) {
      return 1;
    }
    Integer size = request.podSetSliceSize();
    List<PodSetSliceTopologyConstraint> layers = request.podsetSliceRequiredTopologyConstraints();
    long found = size != null ? size : layers.isEmpty() ? 1 : layers.getFirst().size();
    return Math.max(1, found);
  }
}
