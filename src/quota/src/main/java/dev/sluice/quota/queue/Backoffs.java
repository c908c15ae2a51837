package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When the backoffs of pending workloads end. For one thread. */
final class Backoffs {
  private record Due(Instant time, ObjectKey workload) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = time.compareTo(other.time);
      return byTime != 0 ? byTime : workload.compareTo(other.workload);
    }
  }

  private PersistentMap<Due, Due> dues = PersistentMap.empty();
  private final ForkableMap<ObjectKey, Due> dueOf;

  /** None. */
  Backoffs() {
    this.dueOf = new ForkableMap<>();
  }

  private Backoffs(Backoffs other) {
    this.dues = other.dues;
    this.dueOf = other.dueOf.fork();
  }

  /** A copy with the same backoffs that changes independently. */
  Backoffs fork() {
    return new Backoffs(this);
  }

  /** Notes the end of the workload's backoff, if it has one that ends. */
  void schedule(WorkloadState workload) {
    Instant until = workload.backoffUntil();
    if (until != null && until.isBefore(Instant.MAX)) {
      var due = new Due(until, workload.key());
      dues = dues.with(due, due);
      dueOf.put(workload.key(), due);
    }
  }

  void forget(ObjectKey workload) {
    Due due = dueOf.remove(workload);
    if (due != null) {
      dues = dues.without(due);
    }
  }

  /** When the next one ends, or null if there is none. */
  @Nullable Instant next() {
    return dues.isEmpty() ? null : dues.firstKey().time();
  }

  /** Removes the one that ended first, by now at the latest; answers its workload, or null. */
  @Nullable ObjectKey takeOver(Instant now) {
    if (dues.isEmpty() || dues.firstKey().time().isAfter(now)) {
      return null;
    }
    ObjectKey workload = dues.firstKey().workload();
    forget(workload);
    return workload;
  }
}
