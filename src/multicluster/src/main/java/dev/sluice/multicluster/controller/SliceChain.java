package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.reconcile.SliceOrder;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.protocol.PlacementConstraint;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The Workloads of one elastic job, of which each replaces the one before. The scheduler finishes a
 * slice as soon as its successor has quota here; on the worker the job goes on with the earlier one
 * until there is quota for the successor there as well.
 *
 * @param slices all of the job that are here
 */
record SliceChain(List<JsonNode> slices) {
  private static final PlacementConstraint UNCONSTRAINED = new PlacementConstraint.Unconstrained();

  SliceChain {
    slices = List.copyOf(slices);
  }

  /** What the others mean for that one of them. */
  PlacementConstraint constraint(JsonNode slice) {
    if (isReplaced(slice)) {
      return isTakenOver(slice) ? new PlacementConstraint.Replaced() : UNCONSTRAINED;
    }
    return mayTakeOver(slice) ? takeOver(slice) : UNCONSTRAINED;
  }

  static boolean isReplaced(JsonNode slice) {
    return SliceOrder.isReplaced(new WorkloadView(slice));
  }

  /**
   * Whether that slice may go on with the job of an earlier one: it has quota, and had it without a
   * break. One that was evicted has nothing to go on with, since the job was stopped.
   */
  static boolean mayTakeOver(JsonNode slice) {
    WorkloadView view = new WorkloadView(slice);
    return view.hasReservation()
        && !view.isEvicted()
        && !view.isFinished()
        && !view.meta().isBeingDeleted()
        && WorkloadCopies.dispatch(slice) == 0;
  }

  /** The full name of the slice that this one replaces; empty for none. */
  static String predecessor(JsonNode slice) {
    return SliceOrder.predecessor(new WorkloadView(slice));
  }

  /** Whether one that may take over has replaced it, itself or by others between them. */
  private boolean isTakenOver(JsonNode slice) {
    Optional<JsonNode> successor = successor(slice);
    for (int i = 0; i < slices.size() && successor.isPresent(); i++) {
      if (mayTakeOver(successor.get())) {
        return true;
      }
      if (!isReplaced(successor.get())) {
        return false;
      }
      successor = successor(successor.get());
    }
    return false;
  }

  private Optional<JsonNode> successor(JsonNode slice) {
    String name = new WorkloadView(slice).fullName();
    return slices.stream().filter(it -> predecessor(it).equals(name)).findFirst();
  }

  private PlacementConstraint takeOver(JsonNode slice) {
    Set<String> names = new HashSet<>();
    JsonNode later = slice;
    for (int i = 0; i <= slices.size(); i++) {
      String replaced = predecessor(later);
      if (replaced.isEmpty()) {
        return UNCONSTRAINED;
      }
      names.add(replaced.substring(replaced.indexOf('/') + 1));
      Optional<JsonNode> earlier = find(replaced);
      if (earlier.isEmpty()) {
        return whereItIsOffered(slice, names);
      }
      if (!new WorkloadView(earlier.get()).isFinished()) {
        return new PlacementConstraint.WaitFor("the end of the slice that it replaces");
      }
      String cluster = earlier.get().path("status").path("clusterName").asText("");
      if (!cluster.isEmpty()) {
        return new PlacementConstraint.TakeOver(cluster, names);
      }
      if (!isReplaced(earlier.get()) || WorkloadCopies.dispatch(earlier.get()) > 0) {
        return UNCONSTRAINED;
      }
      later = earlier.get();
    }
    return UNCONSTRAINED;
  }

  private Optional<JsonNode> find(String fullName) {
    return slices.stream()
        .filter(it -> new WorkloadView(it).fullName().equals(fullName))
        .findFirst();
  }

  /** An earlier slice that is deleted cannot tell where the job is; the only nomination can. */
  private static PlacementConstraint whereItIsOffered(JsonNode slice, Set<String> names) {
    JsonNode nominated = slice.path("status").path("nominatedClusterNames");
    return nominated.size() == 1
        ? new PlacementConstraint.TakeOver(nominated.get(0).asText(), names)
        : UNCONSTRAINED;
  }
}
