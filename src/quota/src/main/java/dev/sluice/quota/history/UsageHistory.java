package dev.sluice.quota.history;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fading usage of each LocalQueue: exact whenever what runs there changes, and brought up to
 * date once an interval in between. What is admitted counts as a penalty at once and is folded into
 * the usage when the workload is admitted in full. For one thread.
 */
public final class UsageHistory {
  private final AdmissionFairSharing settings;
  private final Decay decay;
  private PersistentMap<ObjectKey, Account> accounts = PersistentMap.empty();

  /** The usage of admitted workloads of each LocalQueue, including deleted ones. */
  private PersistentMap<ObjectKey, Map<String, BigDecimal>> running = PersistentMap.empty();

  public UsageHistory(AdmissionFairSharing settings) {
    this.settings = settings;
    this.decay = new Decay(settings.usageHalfLife());
  }

  private UsageHistory(UsageHistory other) {
    this.settings = other.settings;
    this.decay = other.decay;
    this.accounts = other.accounts;
    this.running = other.running;
  }

  /** A copy with the same usage that changes independently. */
  UsageHistory fork() {
    return new UsageHistory(this);
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

  /** This ran already, since what was written down of the LocalQueue at least. */
  public void found(ObjectKey localQueue, Map<String, BigDecimal> usage, Instant now) {
    put(localQueue, account(localQueue, now));
    running = running.with(localQueue, sum(running(localQueue), usage));
  }

  /** More runs from now on. */
  public void started(ObjectKey localQueue, Map<String, BigDecimal> usage, Instant now) {
    settle(localQueue, now);
    found(localQueue, usage, now);
  }

  /** That much of the running usage has ended. */
  public void ended(ObjectKey localQueue, Map<String, BigDecimal> usage, Instant now) {
    settle(localQueue, now);
    Map<String, BigDecimal> rest = new TreeMap<>(running(localQueue));
    usage.forEach((resource, amount) -> rest.merge(resource, amount.negate(), BigDecimal::add));
    rest.values().removeIf(amount -> amount.signum() == 0);
    running = rest.isEmpty() ? running.without(localQueue) : running.with(localQueue, rest);
  }

  private Map<String, BigDecimal> running(ObjectKey localQueue) {
    Map<String, BigDecimal> known = running.find(localQueue);
    return known == null ? Map.of() : known;
  }

  private void settle(ObjectKey localQueue, Instant now) {
    Account own = accounts.find(localQueue);
    if (own != null) { // else it is gone, or nothing was used yet
      put(localQueue, own.at(now, decay, running(localQueue)));
    }
  }

  /** Brings the usage up to date once it is due. */
  public void refresh(ObjectKey localQueue, Instant now) {
    Account own = account(localQueue, now);
    Duration age = Duration.between(own.updated(), now);
    if (age.compareTo(settings.samplingInterval()) >= 0 || !own.penalties().isEmpty()) {
      settle(localQueue, now);
    }
  }

  /** A workload of the LocalQueue got quota for that much. */
  public void reserved(
      ObjectKey localQueue, ObjectKey workload, Map<String, BigDecimal> requested, Instant now) {
    Account own = account(localQueue, now);
    Map<String, BigDecimal> penalty = decay.penalty(settings.samplingInterval(), requested);
    put(localQueue, own.with(own.penalties().with(workload, penalty)));
  }

  /**
   * The workload is admitted in full: its penalty becomes a part of the usage.
   *
   * @return what that was
   */
  public Map<String, BigDecimal> admitted(ObjectKey localQueue, ObjectKey workload, Instant now) {
    settle(localQueue, now);
    Account own = account(localQueue, now);
    Map<String, BigDecimal> penalty = own.penalties().find(workload);
    if (penalty == null) {
      return Map.of();
    }
    put(
        localQueue,
        own.with(own.penalties().without(workload))
            .with(sum(own.consumed(), penalty), own.updated()));
    return penalty;
  }

  /** It was not admitted after all, a moment ago: so much is no usage. */
  public void takenBack(ObjectKey localQueue, Map<String, BigDecimal> penalty, Instant now) {
    settle(localQueue, now);
    Account own = account(localQueue, now);
    Map<String, BigDecimal> rest = new TreeMap<>(own.consumed());
    penalty.forEach(
        (resource, amount) ->
            rest.computeIfPresent(
                resource, (_, used) -> used.subtract(amount).max(BigDecimal.ZERO)));
    put(localQueue, own.with(rest, own.updated()));
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
    return new LocalQueueUsage(settings, decay, accounts, running);
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
