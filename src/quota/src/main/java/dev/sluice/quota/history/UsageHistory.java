package dev.sluice.quota.history;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.quota.world.ObjectKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The fading usage of each LocalQueue. What is admitted counts as a penalty at once and is folded
 * into the usage when the workload is admitted in full. For one thread.
 */
public final class UsageHistory {
  private static final class Account {
    private Map<String, BigDecimal> consumed = Map.of();
    private final Map<ObjectKey, Map<String, BigDecimal>> penalties = new HashMap<>();
    private Instant updated;

    private Account(Instant updated) {
      this.updated = updated;
    }
  }

  private final AdmissionFairSharing settings;
  private final Decay decay;
  private final Map<ObjectKey, Account> records = new HashMap<>();

  public UsageHistory(AdmissionFairSharing settings) {
    this.settings = settings;
    this.decay = new Decay(settings.usageHalfLife());
  }

  /** What an earlier process wrote down of a LocalQueue; ignored where more is known already. */
  public void seed(ObjectKey localQueue, Map<String, BigDecimal> consumed, Instant updated) {
    Account own = records.computeIfAbsent(localQueue, _ -> new Account(updated));
    if (own.consumed.isEmpty() && own.penalties.isEmpty()) {
      own.consumed = new TreeMap<>(consumed);
      own.updated = updated;
    }
  }

  public void forget(ObjectKey localQueue) {
    records.remove(localQueue);
  }

  /** Brings the usage up to date once it is due. */
  public void refresh(
      ObjectKey localQueue, Supplier<Map<String, BigDecimal>> running, Instant now) {
    Account own = records.computeIfAbsent(localQueue, _ -> new Account(now));
    Duration age = Duration.between(own.updated, now);
    if (age.compareTo(settings.samplingInterval()) >= 0 || !own.penalties.isEmpty()) {
      update(own, running.get(), now);
    }
  }

  private void update(Account own, Map<String, BigDecimal> running, Instant now) {
    if (now.isAfter(own.updated)) {
      own.consumed = decay.after(Duration.between(own.updated, now), own.consumed, running);
      own.updated = now;
    }
  }

  /** A workload of the LocalQueue got quota for that much. */
  public void reserved(
      ObjectKey localQueue, ObjectKey workload, Map<String, BigDecimal> requested, Instant now) {
    records
        .computeIfAbsent(localQueue, _ -> new Account(now))
        .penalties
        .put(workload, decay.penalty(settings.samplingInterval(), requested));
  }

  /** The workload is admitted in full: its penalty becomes a part of the usage. */
  public void admitted(
      ObjectKey localQueue, ObjectKey workload, Map<String, BigDecimal> running, Instant now) {
    Account own = records.computeIfAbsent(localQueue, _ -> new Account(now));
    Map<String, BigDecimal> penalty = own.penalties.remove(workload);
    update(own, running, now);
    if (penalty != null) {
      own.consumed = sum(own.consumed, penalty);
    }
  }

  /** The workload ended before it was admitted in full. */
  public void withdrawn(ObjectKey localQueue, ObjectKey workload) {
    Account own = records.get(localQueue);
    if (own != null) {
      own.penalties.remove(workload);
    }
  }

  /** The number that orders LocalQueues; infinite for one without weight. */
  public double usage(ObjectKey localQueue, double weight) {
    if (weight <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    Account own = records.get(localQueue);
    if (own == null) {
      return 0;
    }
    Map<String, BigDecimal> all = own.consumed;
    for (Map<String, BigDecimal> penalty : own.penalties.values()) {
      all = sum(all, penalty);
    }
    BigDecimal weighted = BigDecimal.ZERO;
    for (var entry : all.entrySet()) {
      double resourceWeight = settings.resourceWeights().getOrDefault(entry.getKey(), 1.0);
      weighted = weighted.add(entry.getValue().multiply(BigDecimal.valueOf(resourceWeight)));
    }
    return weighted.doubleValue() / weight;
  }

  /** What counts as used, penalties left out; in natural units, as status shows it. */
  public Map<String, BigDecimal> consumed(ObjectKey localQueue) {
    Account own = records.get(localQueue);
    return own == null ? Map.of() : Map.copyOf(own.consumed);
  }

  private static Map<String, BigDecimal> sum(Map<String, BigDecimal> a, Map<String, BigDecimal> b) {
    Map<String, BigDecimal> sum = new TreeMap<>(a);
    b.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
    return sum;
  }
}
