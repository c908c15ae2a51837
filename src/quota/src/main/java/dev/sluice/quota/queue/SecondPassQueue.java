package dev.sluice.quota.queue;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;

import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that have quota and wait for places: those that are placed only after their checks,
 * and those that lost nodes. For one thread.
 */
// The first attempt is in the next cycle; each that fails doubles the wait for the one after it.
public final class SecondPassQueue {
  private static final ExponentialBackoff WAITS =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

  private record Turn(Instant due, int failures, Object cause) {}

  private final EngineConfiguration configuration;
  private PersistentMap<ObjectKey, Turn> turns = PersistentMap.empty();

  public SecondPassQueue(EngineConfiguration configuration) {
    this.configuration = configuration;
  }

  /** A copy with the same workloads that changes independently. */
  public SecondPassQueue fork() {
    var fork = new SecondPassQueue(configuration);
    fork.turns = turns;
    return fork;
  }

  /** The workload is now so. */
  public void look(WorkloadState workload) {
    Object cause = cause(workload);
    if (cause == null) {
      forget(workload.key());
      return;
    }
    Turn known = turns.find(workload.key());
    if (known == null || !known.cause().equals(cause)) {
      turns = turns.with(workload.key(), new Turn(Instant.MIN, 0, cause));
    }
  }

  public void forget(ObjectKey workload) {
    turns = turns.without(workload);
  }

  /** What it waits for, such that another cause is a reason to start over; null if nothing. */
  private @Nullable Object cause(WorkloadState workload) {
    Admission admission = workload.admission();
    if (admission == null
        || !workload.holdsQuota()
        || workload.evicted()
        || !configuration.on(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      return null;
    }
    if (workload.isTrue(ADMITTED)) {
      return ownedByPod(workload) || !configuration.on(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
          ? null
          : lostNodes(workload, admission);
    }
    boolean checked =
        !workload.workload().status().admissionChecks().isEmpty() && workload.allChecksReady();
    boolean delayed = admission.podSetAssignments().stream().anyMatch(SecondPassQueue::delayed);
    return checked && delayed && !isImpossible(workload, admission) ? ADMITTED : null;
  }

  private static boolean delayed(PodSetAssignment assignment) {
    return assignment.delayedTopologyRequest() == DelayedTopologyRequestState.PENDING
        && assignment.topologyAssignment() == null;
  }

  private boolean ownedByPod(WorkloadState workload) {
    List<OwnerReference> owners = workload.workload().metadata().ownerReferences();
    return configuration.on(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS)
        && owners.size() == 1
        && owners.getFirst().kind().equals("Pod");
  }

  private static @Nullable Set<String> lostNodes(WorkloadState workload, Admission admission) {
    Set<String> failed = workload.failedNodes();
    if (failed.isEmpty() || isImpossible(workload, admission)) {
      return null;
    }
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      var topology = assignment.topologyAssignment();
      if (topology != null && names(AssignmentCodec.decode(topology), failed)) {
        return failed;
      }
    }
    return null;
  }

  /** One whose places are not known has none to replace, and what is stored is left as it is. */
  private static boolean isImpossible(WorkloadState workload, Admission admission) {
    return ImpossiblePlacement.of(admission, workload.workload().spec().podSets()).isPresent();
  }

  private static boolean names(PodPlacement placement, Set<String> nodes) {
    return placement.onHosts()
        && placement.domains().stream().anyMatch(d -> nodes.contains(d.values().getLast()));
  }

  /** Those whose turn it is, in the order of their names. */
  public List<ObjectKey> due(Instant now) {
    List<ObjectKey> due = new ArrayList<>();
    for (var turn : turns) {
      if (!turn.getValue().due().isAfter(now)) {
        due.add(turn.getKey());
      }
    }
    return due;
  }

  /** It found no places and is retried later. */
  public void failed(ObjectKey workload, Instant now) {
    Turn turn = turns.find(workload);
    if (turn != null) {
      int failures = turn.failures() + 1;
      turns =
          turns.with(workload, new Turn(now.plus(WAITS.after(failures)), failures, turn.cause()));
    }
  }

  /** When it is retried, or null for never. */
  public @Nullable Instant due(ObjectKey workload) {
    Turn turn = turns.find(workload);
    return turn == null ? null : turn.due();
  }
}
