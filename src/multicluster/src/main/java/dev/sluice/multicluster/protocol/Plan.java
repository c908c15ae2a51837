package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Copies;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The next steps for one Workload. The writes of a cluster are sent in order and without waiting
 * for another cluster's; the first that fails ends those of its cluster. After any of them, after
 * any answer and at {@code again} a new plan is made from what is seen then.
 *
 * @param state what the objects say
 * @param remote the writes by worker; each demands uid and, for a patch, resourceVersion
 * @param local the writes to the manager's own cluster
 * @param nominated the workers that a write in {@code local} nominates
 * @param asks names that a worker's API server is to be asked for, as a list may be behind
 * @param again when to plan again though nothing changed
 * @param sentence why it waits; empty if it does not
 * @param stop whether the Workload, which is evicted here, has stopped there
 * @param isReady whether its Pods are up there, and no status that is copied says so
 * @param counters what to count once the writes are done
 * @param memory what the next plan is to be given
 */
public record Plan(
    State state,
    Map<String, List<Write>> remote,
    List<Write> local,
    List<String> nominated,
    Set<Ask> asks,
    Optional<Instant> again,
    String sentence,
    Stop stop,
    boolean isReady,
    List<Counter> counters,
    Memory memory) {
  /** The state of a Workload, as its objects show it. */
  public enum State {
    IDLE,
    REJECTED,
    RESETTING,
    READY_TO_OFFER,
    OFFERED,
    WON,
    CHOSEN,
    DRAINING,
    EVICTING,
    FINISHED_THERE
  }

  /** Whether the Pods of an evicted Workload have stopped on all workers. */
  public enum Stop {
    /** It is neither evicted nor being deleted, or holds no quota. */
    NOT_ASKED,
    /** They may run. */
    MAY_RUN,
    /** No worker runs them, or those that might have been out of reach for too long. */
    CERTAIN
  }

  /** A name to read from the API server of a worker. */
  public record Ask(String cluster, GroupVersionKind kind, String namespace, String name) {
    public Ask {
      requireNonNull(cluster, "cluster");
      requireNonNull(kind, "kind");
      requireNonNull(namespace, "namespace");
      requireNonNull(name, "name");
    }
  }

  /** A metric to count, for one cluster. */
  public record Counter(What what, String cluster) {
    /** The metrics of Kueue. */
    public enum What {
      DISPATCHED,
      ADMITTED
    }

    public Counter {
      requireNonNull(what, "what");
      requireNonNull(cluster, "cluster");
    }
  }

  public Plan {
    requireNonNull(state, "state");
    remote = Copies.of(remote);
    local = List.copyOf(local);
    nominated = List.copyOf(nominated);
    asks = Set.copyOf(asks);
    requireNonNull(again, "again");
    requireNonNull(sentence, "sentence");
    requireNonNull(stop, "stop");
    counters = List.copyOf(counters);
    requireNonNull(memory, "memory");
  }

  /** The names to read from one worker. */
  public Set<Ask> asksOf(String cluster) {
    return asks.stream().filter(it -> it.cluster().equals(cluster)).collect(Collectors.toSet());
  }

  /** The events among the writes to the manager's own cluster. */
  public List<Write.Event> events() {
    return local.stream()
        .filter(Write.Event.class::isInstance)
        .map(Write.Event.class::cast)
        .toList();
  }

  /** Whether nothing is to be done on a worker, by a request or by the answer to one. */
  public boolean isLocal() {
    return remote.isEmpty() && asks.isEmpty();
  }

  /** Whether there is nothing to send and nothing to ask. */
  public boolean isAtRest() {
    return isLocal() && local.isEmpty();
  }
}
