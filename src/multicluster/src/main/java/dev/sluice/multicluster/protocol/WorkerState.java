package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Copies;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of one worker, as far as it matters for one Workload.
 *
 * @param cluster its MultiKueueCluster
 * @param isConfigured whether the check's configuration names it, and it does not drain
 * @param link how it is connected; while it is not, what follows is as it was last
 * @param notServed kinds that it does not serve
 * @param isShared whether objects there are marked by other managers with our origin
 * @param workload the Workload of that name there
 * @param jobs the jobs there by name: those of the local jobs, and those of ours that name the
 *     Workload
 * @param queue the state of the queue of the Workload there
 * @param refusal why the worker refused the last write for this Workload; empty if it did not
 */
public record WorkerState(
    String cluster,
    boolean isConfigured,
    Link link,
    Set<GroupKind> notServed,
    boolean isShared,
    Presence workload,
    Map<String, Presence> jobs,
    QueueState queue,
    Optional<WaitingReason> refusal) {
  public WorkerState {
    requireNonNull(cluster, "cluster");
    requireNonNull(link, "link");
    notServed = Set.copyOf(notServed);
    requireNonNull(workload, "workload");
    jobs = Copies.of(jobs);
    requireNonNull(queue, "queue");
    requireNonNull(refusal, "refusal");
  }

  /** Whether it is connected. */
  public boolean isConnected() {
    return link instanceof Link.Connected;
  }

  /** Whether the current objects there are known. */
  public boolean isKnown() {
    return link instanceof Link.Connected(boolean isComplete) && isComplete;
  }

  /** What is known of that job there. */
  public Presence job(String name) {
    return jobs.getOrDefault(name, Presence.unlisted());
  }
}
