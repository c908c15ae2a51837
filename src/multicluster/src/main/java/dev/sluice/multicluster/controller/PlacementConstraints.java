package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.protocol.Owner;
import dev.sluice.multicluster.protocol.PlacementConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the other Workloads of a job mean for one of them. Thread-safe. */
final class PlacementConstraints {
  private static final PlacementConstraint UNCONSTRAINED = new PlacementConstraint.Unconstrained();

  private final JobWorld world;

  PlacementConstraints(JobWorld world) {
    this.world = world;
  }

  /** The Workloads of the same owners for which that change of one of them matters. */
  List<JsonNode> concernedBy(ObjectChange change) {
    return change.before().map(Standing::of).equals(change.after().map(Standing::of))
        ? List.of()
        : of(change.latest());
  }

  /** What the others read of a Workload. */
  private record Standing(boolean isOpen, boolean hasQuota, String cluster, JsonNode owners) {
    private static Standing of(JsonNode workload) {
      return new Standing(
          PlacementConstraints.isOpen(workload),
          SliceChain.mayTakeOver(workload),
          PlacementConstraints.cluster(Optional.of(workload)),
          workload.path("metadata").path("ownerReferences"));
    }
  }

  /** The Workloads of the owners of that one, itself among them. */
  private List<JsonNode> of(JsonNode workload) {
    List<JsonNode> all = new ArrayList<>();
    String namespace = ObjectKey.of(workload).namespace();
    for (JsonNode owner : workload.path("metadata").path("ownerReferences")) {
      GroupVersionKind kind =
          GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
      world.workloadsOwnedBy(kind.groupKind(), namespace, owner.path("name").asText()).stream()
          .filter(it -> isOwnedBy(it, owner.path("uid").asText()))
          .forEach(all::add);
    }
    return all;
  }

  private static boolean isOwnedBy(JsonNode workload, String uid) {
    return workload
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .anyMatch(it -> it.path("uid").asText().equals(uid));
  }

  /** What the others mean for where that Workload goes. */
  PlacementConstraint of(JsonNode workload, Optional<Owner> owner) {
    Optional<RemoteJobs> remote = owner.flatMap(Owner::remote);
    return remote.map(it -> of(workload, owner.get(), it)).orElse(UNCONSTRAINED);
  }

  private PlacementConstraint of(JsonNode workload, Owner owner, RemoteJobs remote) {
    if (WorkloadCopies.isElastic(workload)) {
      return new SliceChain(of(workload)).constraint(workload);
    }
    if (owner.isCarried()) {
      return new PlacementConstraint.Follow(cluster(first(workload, remote)));
    }
    int expected = owner.jobs().stream().mapToInt(remote::workloads).max().orElse(1);
    if (expected == 1) {
      return UNCONSTRAINED;
    }
    long there =
        of(workload).stream()
            .filter(PlacementConstraints::isOpen)
            .mapToInt(remote::index)
            .distinct()
            .count();
    return there < expected
        ? new PlacementConstraint.WaitFor(
            "%d more workloads of its job".formatted(expected - there))
        : UNCONSTRAINED;
  }

  /** The Workloads of which all Pods are up when those of the job of that one are. */
  List<JsonNode> thatRunAs(JsonNode workload, Optional<Owner> owner) {
    if (owner.filter(Owner::isCarried).isPresent()) {
      return List.of(); // the first of them says it
    }
    boolean hasOthers =
        owner
            .flatMap(Owner::remote)
            .filter(it -> owner.get().jobs().stream().anyMatch(job -> it.workloads(job) > 1))
            .isPresent();
    return hasOthers ? of(workload) : List.of(workload);
  }

  /** The slices that are looked at when something changes on a worker that runs a replaced one. */
  List<JsonNode> successors(JsonNode workload) {
    return SliceChain.isReplaced(workload) ? of(workload) : List.of();
  }

  private static boolean isOpen(JsonNode workload) {
    WorkloadView view = new WorkloadView(workload);
    return !view.isFinished() && !view.meta().isBeingDeleted();
  }

  private Optional<JsonNode> first(JsonNode workload, RemoteJobs remote) {
    return of(workload).stream()
        .filter(it -> remote.index(it) == 0)
        .filter(PlacementConstraints::isOpen)
        .findFirst();
  }

  private static String cluster(Optional<JsonNode> workload) {
    return workload.map(it -> it.path("status").path("clusterName").asText("")).orElse("");
  }
}
