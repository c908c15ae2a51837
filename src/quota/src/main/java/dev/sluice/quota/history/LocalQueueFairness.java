package dev.sluice.quota.history;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.AdmissionFairSharingStatus;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Updates the usage history of LocalQueues as workloads start and end. Does nothing where
 * LocalQueues do not share fairly. For one thread.
 */
public final class LocalQueueFairness {
  private final @Nullable UsageHistory history;
  private final LocalQueues queues;

  /** What admissions cost that may still turn out not to be stored. */
  private final ForkableMap<ObjectKey, Map<String, BigDecimal>> folded;

  public LocalQueueFairness(EngineConfiguration configuration, LocalQueues queues) {
    this.history = configuration.sharingOfLocalQueues().map(UsageHistory::new).orElse(null);
    this.queues = queues;
    this.folded = new ForkableMap<>();
  }

  private LocalQueueFairness(LocalQueueFairness other, LocalQueues queues) {
    this.history = other.history == null ? null : other.history.fork();
    this.queues = queues;
    this.folded = other.folded.fork();
  }

  /** The same usage of those LocalQueues, which are a fork of these ones. */
  public LocalQueueFairness fork(LocalQueues fork) {
    return new LocalQueueFairness(this, fork);
  }

  /** Whether LocalQueues of some ClusterQueues may be ordered by their usage. */
  public boolean isOn() {
    return history != null;
  }

  /** Whether LocalQueues of this ClusterQueue are ordered by their usage. */
  public boolean orders(QueueRules rules) {
    return history != null && rules.fairBetweenLocalQueues();
  }

  /** The LocalQueue was created or deleted. */
  public void changed(
      ObjectKey key, @Nullable LocalQueue old, @Nullable LocalQueue queue, Instant now) {
    if (history == null) {
      return;
    }
    if (queue == null) {
      history.forget(key);
    } else if (old == null) {
      seed(history, key, queue, now);
    }
  }

  private static void seed(UsageHistory history, ObjectKey key, LocalQueue queue, Instant now) {
    var sharing = queue.status().fairSharing();
    AdmissionFairSharingStatus status =
        sharing == null ? null : sharing.admissionFairSharingStatus();
    Map<String, BigDecimal> consumed = new HashMap<>();
    Instant updated = now;
    if (status != null) {
      status.consumedResources().forEach((r, quantity) -> consumed.put(r, quantity.value()));
      boolean dated = status.lastUpdate().isAfter(Instant.EPOCH); // Go's zero time is none
      updated = dated ? status.lastUpdate() : now;
    }
    history.seed(key, consumed, updated);
  }

  /** Brings the usage of the ClusterQueue's LocalQueues up to date. */
  public void refresh(QueueRules rules, Instant now) {
    if (history == null || !orders(rules)) {
      return;
    }
    for (ObjectKey key : queues.of(rules.name())) {
      history.refresh(key, now);
    }
  }

  /** What of a LocalQueue is in use by one workload that may run. */
  private record Running(ObjectKey localQueue, Map<String, BigDecimal> usage) {
    static @Nullable Running of(@Nullable WorkloadState workload) {
      ObjectKey localQueue = workload == null ? null : workload.localQueue();
      return workload == null
              || localQueue == null
              || !workload.holdsQuota()
              || !workload.admitted()
          ? null
          : new Running(localQueue, LocalQueueFairness.usage(workload));
    }
  }

  private static Map<String, BigDecimal> usage(WorkloadState holder) {
    Map<String, BigDecimal> sum = new HashMap<>();
    holder
        .usage()
        .forEach(
            (pair, amount) ->
                sum.merge(
                    pair.resource(),
                    Amount.toQuantity(pair.resource(), amount).value(),
                    BigDecimal::add));
    return sum;
  }

  private static void ran(
      UsageHistory history, @Nullable WorkloadState old, @Nullable WorkloadState now, Instant at) {
    Running before = Running.of(old);
    Running after = Running.of(now);
    if (Objects.equals(before, after)) {
      return;
    }
    if (before != null) {
      history.ended(before.localQueue(), before.usage(), at);
    }
    if (after != null && old == null) { // a process that has just started receives all objects
      history.found(after.localQueue(), after.usage(), at);
    } else if (after != null) {
      history.started(after.localQueue(), after.usage(), at);
    }
  }

  /** A workload changed: what runs, and its penalty until it does. */
  public void changed(@Nullable WorkloadState old, @Nullable WorkloadState workload, Instant now) {
    if (history == null) {
      return;
    }
    ran(history, old, workload, now);
    boolean held = old != null && old.holdsQuota();
    boolean holds = workload != null && workload.holdsQuota();
    ObjectKey before = old == null ? null : old.localQueue();
    ObjectKey after = workload == null ? null : workload.localQueue();
    if (old != null && before != null && held && (!holds || !before.equals(after))) {
      history.withdrawn(before, old.key());
      folded.remove(old.key());
    }
    if (workload == null || after == null || !holds) {
      return;
    }
    if (!held && old != null) {
      history.reserved(after, workload.key(), usage(workload), now);
    }
    if (workload.admitted() && old != null && !old.admitted()) {
      folded.put(workload.key(), history.admitted(after, workload.key(), now));
    }
  }

  /** What was decided about it is stored. */
  public void stored(ObjectKey workload) {
    folded.remove(workload);
  }

  /** What was decided about it could not be stored: if it was to be admitted, that cost nothing. */
  public void lost(WorkloadState workload, Instant now) {
    Map<String, BigDecimal> penalty = folded.remove(workload.key());
    ObjectKey localQueue = workload.localQueue();
    if (history != null && penalty != null && localQueue != null) {
      history.takenBack(localQueue, penalty, now);
    }
  }

  /** The usage of that LocalQueue, given as text; 0 where nothing is known. */
  public double usage(String localQueue) {
    int slash = localQueue.indexOf('/');
    return history == null || slash < 0
        ? 0
        : usage(
            history,
            new ObjectKey(localQueue.substring(0, slash), localQueue.substring(slash + 1)));
  }

  private double usage(UsageHistory from, ObjectKey key) {
    return from.usage(key, weight(queues.find(key)));
  }

  public static double weight(@Nullable LocalQueue queue) {
    var sharing = queue == null ? null : queue.spec().fairSharing();
    return sharing == null ? 1 : sharing.weight().value().doubleValue();
  }

  /** The usage of all LocalQueues as it is now; null where they do not share fairly. */
  public @Nullable LocalQueueUsage now() {
    return history == null ? null : history.now();
  }

  /** The usage of the workload's LocalQueue, or null where it orders nothing. */
  public @Nullable Double usageOf(WorkloadState workload, QueueRules rules) {
    ObjectKey key = history == null || !orders(rules) ? null : workload.localQueue();
    return history == null || key == null ? null : usage(history, key);
  }
}
