package dev.sluice.see.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.VirtualCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who loses quota by an edit of a ClusterQueue or Cohort, as the engine decides it. Only the engine
 * runs: nothing is read but its state, so this takes a fraction of the time of a whole simulation.
 * For one thread.
 */
public final class QuotaEdit {
  /** A search for flavors that found nothing in so many cycles repeats itself. */
  private static final int IDLE_CYCLES = 33;

  private final VirtualCluster cluster;
  private final Set<ObjectKey> evicted = new LinkedHashSet<>();
  private final BooleanSupplier goOn;
  private int idle; // cycles that decided nothing

  /**
   * A workload that has quota and would lose it.
   *
   * @param workload as it is before the edit
   * @param returns whether it would get quota again at once
   */
  public record Loss(WorkloadState workload, boolean returns) {}

  private QuotaEdit(QuotaEngine engine, Instant now, BooleanSupplier goOn) {
    this.cluster = new VirtualCluster(engine, now, new Watch());
    this.goOn = goOn;
  }

  /**
   * The workloads that would lose quota. What is decided without the edit comes first: who loses
   * quota by that is not among them. Evicted workloads release their quota at once.
   *
   * @param engine in the state of the cluster; belongs to this call from here on
   * @param edit the object as it would be
   * @param goOn whether there is time left; asked before each cycle
   * @return empty if the time was over before nothing was left to decide
   */
  public static Optional<List<Loss>> losses(
      QuotaEngine engine, Change edit, Instant now, BooleanSupplier goOn) {
    return new QuotaEdit(engine, now, goOn).losses(edit);
  }

  private Optional<List<Loss>> losses(Change edit) {
    for (WorkloadState workload : cluster.snapshot().workloads()) {
      if (workload.evicted()) {
        cluster.releaseNow(workload.key());
      }
    }
    if (!settles()) {
      return Optional.empty();
    }
    Snapshot before = cluster.snapshot();
    evicted.clear();
    cluster.apply(edit);
    drain(before);
    if (!settles()) {
      return Optional.empty();
    }
    return Optional.of(losses(before, cluster.snapshot()));
  }

  private boolean settles() {
    idle = 0;
    while (goOn.getAsBoolean()) {
      idle++;
      if (cluster.settle(1) || idle > IDLE_CYCLES) { // a cycle at a time
        return true;
      }
    }
    return false;
  }

  /** The reconciler of Workloads evicts all of a ClusterQueue that has to be drained. */
  private void drain(Snapshot before) {
    Snapshot after = cluster.snapshot();
    for (String queue : after.clusterQueues()) {
      if (drains(after, queue) && !drains(before, queue)) {
        for (WorkloadState holder : before.holders(queue)) {
          evicted.add(holder.key());
          cluster.releaseNow(holder.key());
        }
      }
    }
  }

  private static boolean drains(Snapshot snapshot, String queue) {
    ClusterQueue found = snapshot.clusterQueue(queue);
    return found != null && found.spec().stopPolicy() == StopPolicy.HOLD_AND_DRAIN;
  }

  private List<Loss> losses(Snapshot before, Snapshot after) {
    List<Loss> losses = new ArrayList<>();
    for (WorkloadState workload : before.workloads()) {
      boolean returns = isRunning(after.state(workload.key()));
      if (isRunning(workload) && (evicted.contains(workload.key()) || !returns)) {
        losses.add(new Loss(workload, returns));
      }
    }
    return losses;
  }

  private static boolean isRunning(@Nullable WorkloadState workload) {
    return workload != null && workload.holdsQuota() && !workload.evicted();
  }

  private final class Watch implements VirtualCluster.Life {
    @Override
    public double seconds(WorkloadState workload, Instant at) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public void decided(Outcome outcome, Instant at) {
      if (outcome.decision() instanceof Decision.Reserved
          || !outcome.others().isEmpty()
          || outcome.place() == Outcome.Place.INADMISSIBLE) {
        idle = 0;
      }
      for (StatusChange change : outcome.others()) {
        if (change.isReal() && change.after().evicted()) {
          evicted.add(change.after().key());
        }
      }
    }
  }
}
