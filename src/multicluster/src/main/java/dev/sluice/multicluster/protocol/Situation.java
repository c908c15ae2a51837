package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The input of a plan.
 *
 * @param workload the manager's Workload, whole and at the hub version
 * @param check the name of its MultiKueue check; empty if its ClusterQueue has none
 * @param owner its job; empty if it names no owner
 * @param constraint what other Workloads of the job mean for it
 * @param workers every worker, those of the configuration first and in its order
 * @param isMirrorRefused whether the API server refuses the status that the job would get
 * @param ownOffer what this process did for the Workload; empty for nothing
 * @param memory what the last plan gave back
 * @param now the time, by this process's clock
 */
public record Situation(
    JsonNode workload,
    String check,
    Optional<Owner> owner,
    PlacementConstraint constraint,
    List<WorkerState> workers,
    boolean isMirrorRefused,
    Optional<OwnOffer> ownOffer,
    Memory memory,
    Instant now) {
  public Situation {
    requireNonNull(workload, "workload");
    requireNonNull(check, "check");
    requireNonNull(owner, "owner");
    requireNonNull(constraint, "constraint");
    workers = List.copyOf(workers);
    requireNonNull(ownOffer, "ownOffer");
    requireNonNull(memory, "memory");
    requireNonNull(now, "now");
  }
}
