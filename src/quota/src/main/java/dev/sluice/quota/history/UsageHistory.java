package dev.sluice.quota.history;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.world.ObjectKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The fading usage of each LocalQueue. What is admitted counts as a penalty at once and is folded
 * into the usage when the workload is admitted in full. For one thread.
 */
public final class UsageHistory {
  private final AdmissionFairSharing settings;
  private final Decay decay;
  private PersistentMap<ObjectKey, Account> accounts = PersistentMap.empty();

  public UsageHistory(AdmissionFairSharing settings) {
    this.settings = settings;
    this.decay = new Decay(settings.usageHalfLife());
  }

  /** What an earlier process wrote down of a LocalQueue; ignored where more is known already. */
  public void seed(ObjectKey localQueue, Map<String, BigDecimal> consumed, Instant updated) {
    Account own = account(localQueue, updated);
    if (own.consumed().isEmpty() && own.penalties().isEmpty()) {
      put(localQueue, own.with(new TreeMap<>(consumed), updated));
    }
  }

  private Account account(ObjectKey localQueue, Instant now) {
    Account own = accounts.find(localQueue);
    return own == null ? new Account(now) : own;
  }

  private void put(ObjectKey localQueue, Account account) {
    accounts = accounts.with(localQueue, account);
  }

  public void forget(ObjectKey localQueue) {
    accounts = accounts.without(localQueue);
  }

  /** Brings the usage up to date once it is due. */
  public void refresh(
      ObjectKey localQueue, Supplier<Map<String, BigDecimal>> running, Instant now) {
    Account own = accounts.find(localQueue);
    if (own == null) {
      put(localQueue, new Account(now));
      return;
    }
    Duration age = Duration.between(own.updated(), now);
    if (age.compareTo(settings.samplingInterval()) >= 0 || !own.penalties().isEmpty()) {
      put(localQueue, updated(own, running.get(), now));
    }
  }

  private Account updated(Account own, Map<String, BigDecimal> running, Instant now) {
    Duration since = Duration.between(own.updated(), now);
    return now.isAfter(own.updated())
        ? own.with(decay.after(since, own.consumed(), running), now)
        : own;
  }

  /** A workload of the LocalQueue got quota for that much. */
  public void reserved(
      ObjectKey localQueue, ObjectKey workload, Map<String, BigDecimal> requested, Instant now) {
    Account own = account(localQueue, now);
    Map<String, BigDecimal> penalty = decay.penalty(settings.samplingInterval(), requested);
    put(localQueue, own.with(own.penalties().with(workload, penalty)));
  }

  /** The workload is admitted in full: its penalty becomes a part of the usage. */
  public void admitted(
      ObjectKey localQueue, ObjectKey workload, Map<String, BigDecimal> running, Instant now) {
    Account own = account(localQueue, now);
    Map<String, BigDecimal> penalty = own.penalties().find(workload);
    Account settled = updated(own.with(own.penalties().without(workload)), running, now);
    put(
        localQueue,
        penalty == null
            ? settled
            : settled.with(sum(settled.consumed(), penalty), settled.updated()));
  }

  /** The workload ended before it was admitted in full. */
  public void withdrawn(ObjectKey localQueue, ObjectKey workload) {
    Account own = accounts.find(localQueue);
    if (own != null) {
      put(localQueue, own.with(own.penalties().without(workload)));
    }
  }

  /** The number that orders LocalQueues; infinite for one without weight. */
  public double usage(ObjectKey localQueue, double weight) {
    return now().of(localQueue, weight);
  }

  /** The usage of all, as it is now. */
  public LocalQueueUsage now() {
    return new LocalQueueUsage(settings, accounts);
  }

  /** What counts as used, penalties left out; in natural units, as status shows it. */
  public Map<String, BigDecimal> consumed(ObjectKey localQueue) {
    Account own = accounts.find(localQueue);
    return own == null ? Map.of() : Map.copyOf(own.consumed());
  }

  static Map<String, BigDecimal> sum(Map<String, BigDecimal> a, Map<String, BigDecimal> b) {
    Map<String, BigDecimal> sum = new TreeMap<>(a);
    b.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
    return sum;
  }
}
