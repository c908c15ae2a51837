package dev.sluice.see.explain;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the engine what it would decide about one workload, each time on a fork of its own. For one
 * thread.
 */
final class Trials {
  /** A search for flavors may be spread over cycles; a queue has at most 16 groups of flavors. */
  private static final int MOST_CYCLES = 32;

  private final QuotaEngine engine;
  private final ObjectKey key;
  private final Instant now;
  private final Snapshot snapshot;
  private @Nullable Neighbors neighbors;
  private @Nullable QuotaEngine alone;
  private @Nullable LineTrials line;
  private @Nullable LineTrials lineAlone;

  /**
   * A fork without those that can make no difference to the workload.
   *
   * @param waiting those that wait in it beside the workload
   */
  private record Neighbors(QuotaEngine engine, List<ObjectKey> waiting) {}

  /** Trials that begin with the state of the engine, which is only forked. */
  Trials(QuotaEngine engine, ObjectKey key, Instant now) {
    this.engine = engine;
    this.key = key;
    this.now = now;
    this.snapshot = engine.snapshot(now);
  }

  /** The state that the trials begin with. */
  Snapshot snapshot() {
    return snapshot;
  }

  /** The workload that the trials are about. */
  ObjectKey key() {
    return key;
  }

  /** The workload as it is. It must be there. */
  Workload subject() {
    Workload subject = snapshot.workload(key);
    if (subject == null) {
      throw new IllegalStateException(key + ": no such workload");
    }
    return subject;
  }

  /**
   * A fork without those that wait in other trees of cohorts. Trees share nodes, so that nobody is
   * left out where there is a topology.
   */
  private Neighbors neighbors() {
    Neighbors known = neighbors;
    if (known == null) {
      QuotaEngine fork = engine.fork();
      boolean all = !engine.topology(now).topologies().isEmpty();
      Set<String> near = queuesOfTree();
      List<ObjectKey> waiting = new ArrayList<>();
      for (WorkloadState workload : snapshot.workloads()) {
        if (!workload.holdsQuota() && !workload.key().equals(key)) {
          String queue = snapshot.queueFor(workload);
          if (all || queue == null || near.contains(queue)) {
            waiting.add(workload.key());
          } else {
            fork.apply(new Change.Deleted(ObjectKind.WORKLOAD, workload.key()), now);
          }
        }
      }
      known = new Neighbors(fork, waiting);
      neighbors = known;
    }
    return known;
  }

  private Set<String> queuesOfTree() {
    String own = clusterQueue();
    Set<String> queues = new HashSet<>();
    if (own != null) {
      queues.add(own);
      QuotaTree tree = snapshot.treeOf(own);
      for (int node = 0; tree != null && node < tree.shape().size(); node++) {
        if (tree.shape().isQueue(node)) {
          queues.add(tree.shape().name(node).name());
        }
      }
    }
    return queues;
  }

  /** A fork in which the workload is the next head: the others that wait are not there. */
  private QuotaEngine alone() {
    QuotaEngine known = alone;
    if (known == null) {
      QuotaEngine fork = neighbors().engine().fork();
      neighbors()
          .waiting()
          .forEach(other -> fork.apply(new Change.Deleted(ObjectKind.WORKLOAD, other), now));
      reopen(fork);
      alone = fork;
      known = fork;
    }
    return known;
  }

  /** Removes and adds a parked workload, because cycles do not consider parked ones. */
  private void reopen(QuotaEngine fork) {
    Workload subject = snapshot.workload(key);
    if (subject != null && isParked()) {
      ObjectMeta metadata = subject.metadata().toBuilder().resourceVersion(null).build();
      fork.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), now);
      fork.apply(Change.upserted(ObjectKind.WORKLOAD, subject.with(metadata)), now);
    }
  }

  private boolean isParked() {
    String clusterQueue = clusterQueue();
    WaitingLine.Place place = clusterQueue == null ? null : snapshot.line(clusterQueue).find(key);
    return place != null && place.parked();
  }

  /** The ClusterQueue of the workload; null if it has none. */
  private @Nullable String clusterQueue() {
    Workload subject = snapshot.workload(key);
    String named = subject == null ? null : subject.spec().queueName();
    LocalQueue queue =
        named == null ? null : snapshot.localQueue(new ObjectKey(key.namespace(), named));
    return queue == null ? null : queue.spec().clusterQueue();
  }

  /** What is decided about it when its turn comes, as things are. */
  Optional<Outcome> turn() {
    return turn(List.of(), Set.of());
  }

  /**
   * The decision about the workload if it was the next head, without the others that wait.
   *
   * @param edits changes of objects
   * @param ended workloads to remove
   * @return empty if it is in no queue
   */
  Optional<Outcome> turn(List<Change> edits, Set<ObjectKey> ended) {
    QuotaEngine trial = alone().fork();
    ended.forEach(gone -> trial.apply(new Change.Deleted(ObjectKind.WORKLOAD, gone), now));
    edits.forEach(edit -> trial.apply(edit, now));
    Optional<Outcome> last = Optional.empty();
    for (int i = 0; i < MOST_CYCLES; i++) {
      Optional<Outcome> outcome =
          trial.cycle(now).outcomes().stream()
              .filter(it -> it.workload().equals(key))
              .reduce((_, later) -> later);
      if (outcome.isEmpty()) {
        return last;
      }
      last = outcome;
      if (outcome.get().place() != Outcome.Place.PENDING || helps(outcome.get())) {
        return last;
      }
    }
    return last;
  }

  /**
   * Who is evicted for the workload if it gets quota with all others that wait beside it; empty if
   * it does not, or if that takes too long to find out.
   *
   * @param edits changes of objects
   * @param ended workloads to remove
   */
  Optional<Set<ObjectKey>> inLine(List<Change> edits, Set<ObjectKey> ended) {
    LineTrials known = line;
    if (known == null) {
      known = new LineTrials(neighbors().engine().fork(), key, now, neighbors().waiting().size());
      line = known;
    }
    return known.evicted(edits, ended);
  }

  /**
   * The same without the others that wait. So an eviction is followed to its end: who was evicted
   * may take the quota back.
   */
  Optional<Set<ObjectKey>> inTurn(List<Change> edits, Set<ObjectKey> ended) {
    LineTrials known = lineAlone;
    if (known == null) {
      known = new LineTrials(alone().fork(), key, now, 0);
      lineAlone = known;
    }
    return known.evicted(edits, ended);
  }

  /** Whether it would be admitted, at once or after its preemption targets have ended. */
  static boolean helps(Outcome outcome) {
    return outcome.decision() instanceof Decision.Reserved
        || outcome.decision() instanceof Decision.Preempting;
  }

  /** The workloads that hold quota, but for the one the trials are about. */
  List<WorkloadState> holders() {
    List<WorkloadState> holders = new ArrayList<>();
    for (WorkloadState workload : snapshot.workloads()) {
      if (workload.holdsQuota() && !workload.key().equals(key)) {
        holders.add(workload);
      }
    }
    return holders;
  }
}
