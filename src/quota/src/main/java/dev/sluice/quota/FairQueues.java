package dev.sluice.quota;

import static dev.sluice.quota.world.ConditionType.ADMITTED;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.queue.AdmissionFairSharingStatus;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.history.LocalQueueUsage;
import dev.sluice.quota.history.UsageHistory;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the history of LocalQueues in step with what happens, where they share fairly; otherwise
 * does nothing. For one thread.
 */
final class FairQueues {
  private final Holdings holdings;
  private final @Nullable UsageHistory history;
  private final LocalQueues queues;

  FairQueues(EngineConfiguration configuration, LocalQueues queues, Holdings holdings) {
    AdmissionFairSharing settings = configuration.admissionFairSharing();
    boolean on = configuration.on(FeatureGate.ADMISSION_FAIR_SHARING);
    this.history = settings == null || !on ? null : new UsageHistory(settings);
    this.queues = queues;
    this.holdings = holdings;
  }

  /** Whether LocalQueues of this ClusterQueue are ordered by their usage. */
  boolean orders(QueueRules rules) {
    return history != null && rules.fairBetweenLocalQueues();
  }

  /** The LocalQueue came, or went. */
  void changed(ObjectKey key, @Nullable LocalQueue old, @Nullable LocalQueue queue, Instant now) {
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
    if (status != null) {
      Map<String, BigDecimal> consumed = new HashMap<>();
      status.consumedResources().forEach((r, quantity) -> consumed.put(r, quantity.value()));
      Instant updated = status.lastUpdate();
      boolean dated = updated.isAfter(Instant.EPOCH); // Go's zero time is none
      history.seed(key, consumed, dated ? updated : now);
    }
  }

  /** Brings the usage of the ClusterQueue's LocalQueues up to date. */
  void refresh(QueueRules rules, Instant now) {
    if (history == null || !orders(rules)) {
      return;
    }
    for (ObjectKey key : queues.of(rules.name())) {
      history.refresh(key, () -> running(rules.name(), key), now);
    }
  }

  private Map<String, BigDecimal> running(String clusterQueue, ObjectKey localQueue) {
    Map<String, BigDecimal> sum = new HashMap<>();
    for (WorkloadState holder : holdings.in(clusterQueue).values()) {
      if (localQueue.equals(holder.localQueue()) && holder.isTrue(ADMITTED)) {
        add(sum, holder);
      }
    }
    return sum;
  }

  private static void add(Map<String, BigDecimal> sum, WorkloadState holder) {
    holder
        .usage()
        .forEach(
            (pair, amount) ->
                sum.merge(
                    pair.resource(),
                    Amount.toQuantity(pair.resource(), amount).value(),
                    BigDecimal::add));
  }

  /** A workload changed: its penalty follows whether it holds quota and is admitted. */
  void changed(@Nullable WorkloadState old, @Nullable WorkloadState workload, Instant now) {
    if (history == null) {
      return;
    }
    boolean held = old != null && old.holdsQuota();
    boolean holds = workload != null && workload.holdsQuota();
    ObjectKey before = old == null ? null : old.localQueue();
    ObjectKey after = workload == null ? null : workload.localQueue();
    if (old != null && before != null && held && (!holds || !before.equals(after))) {
      history.withdrawn(before, old.key());
    }
    if (workload == null || after == null || !holds) {
      return;
    }
    if (!held && old != null) {
      Map<String, BigDecimal> requested = new HashMap<>();
      add(requested, workload);
      history.reserved(after, workload.key(), requested, now);
    }
    boolean wasAdmitted = old != null && old.isTrue(ADMITTED);
    if (workload.isTrue(ADMITTED) && !wasAdmitted && old != null) {
      Map<String, BigDecimal> others = running(workload.reservedIn(), after);
      history.admitted(after, workload.key(), others, now);
    }
  }

  /** The usage of that LocalQueue, given as text; 0 where nothing is known. */
  double usage(String localQueue) {
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

  static double weight(@Nullable LocalQueue queue) {
    var sharing = queue == null ? null : queue.spec().fairSharing();
    return sharing == null ? 1 : sharing.weight().value().doubleValue();
  }

  /** The usage of all LocalQueues as it is now; null where they do not share fairly. */
  @Nullable LocalQueueUsage now() {
    return history == null ? null : history.now();
  }

  /** The usage of the workload's LocalQueue, or null where it orders nothing. */
  @Nullable Double usageOf(WorkloadState workload, QueueRules rules) {
    ObjectKey key = history == null || !orders(rules) ? null : workload.localQueue();
    return history == null || key == null ? null : usage(history, key);
  }
}
