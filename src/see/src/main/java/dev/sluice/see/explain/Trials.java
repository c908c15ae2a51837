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
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
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
  private @Nullable QuotaEngine alone;

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

  /** A fork in which the workload is the next head: the others that wait are not there. */
  private QuotaEngine alone() {
    QuotaEngine known = alone;
    if (known == null) {
      known = engine.fork();
      for (WorkloadState workload : snapshot.workloads()) {
        if (!workload.holdsQuota() && !workload.key().equals(key)) {
          known.apply(new Change.Deleted(ObjectKind.WORKLOAD, workload.key()), now);
        }
      }
      reopen(known);
      alone = known;
    }
    return known;
  }

  /** Removes and adds a parked workload, because cycles do not consider parked ones. */
  private void reopen(QuotaEngine fork) {
    Workload subject = snapshot.workload(key);
    if (subject != null && isParked(subject)) {
      ObjectMeta metadata = subject.metadata().toBuilder().resourceVersion(null).build();
      fork.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), now);
      fork.apply(Change.upserted(ObjectKind.WORKLOAD, subject.with(metadata)), now);
    }
  }

  private boolean isParked(Workload subject) {
    String named = subject.spec().queueName();
    LocalQueue queue =
        named == null ? null : snapshot.localQueue(new ObjectKey(key.namespace(), named));
    String clusterQueue = queue == null ? null : queue.spec().clusterQueue();
    WaitingLine.Place place = clusterQueue == null ? null : snapshot.line(clusterQueue).find(key);
    return place != null && place.parked();
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
