package dev.sluice.quota.history;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.world.ObjectKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The usage of all LocalQueues at one moment; immutable, for any thread. */
public final class LocalQueueUsage {
  private final AdmissionFairSharing settings;
  private final PersistentMap<ObjectKey, Account> accounts;

  LocalQueueUsage(AdmissionFairSharing settings, PersistentMap<ObjectKey, Account> accounts) {
    this.settings = settings;
    this.accounts = accounts;
  }

  /** The number that orders LocalQueues; infinite for one without weight. */
  public double of(ObjectKey localQueue, double weight) {
    if (weight <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    Account own = accounts.find(localQueue);
    if (own == null) {
      return 0;
    }
    BigDecimal weighted = weighted(own.consumed());
    for (Map<String, BigDecimal> penalty : own.penalties().values()) {
      weighted = weighted.add(weighted(penalty));
    }
    return weighted.doubleValue() / weight;
  }

  /**
   * What one LocalQueue has used, to be written down for the next process.
   *
   * @param consumed in natural units; what was only just given included
   * @param updated when it was as much
   * @param interval how often it is worth being written
   */
  public record Sample(Map<String, BigDecimal> consumed, Instant updated, Duration interval) {
    public Sample {
      consumed = Map.copyOf(consumed);
    }
  }

  /** That of one LocalQueue; empty where nothing is known of it. */
  public Optional<Sample> sample(ObjectKey localQueue) {
    Account own = accounts.find(localQueue);
    if (own == null) {
      return Optional.empty();
    }
    Map<String, BigDecimal> consumed = own.consumed();
    for (Map<String, BigDecimal> penalty : own.penalties().values()) {
      consumed = UsageHistory.sum(consumed, penalty);
    }
    return Optional.of(new Sample(consumed, own.updated(), settings.samplingInterval()));
  }

  private BigDecimal weighted(Map<String, BigDecimal> amounts) {
    BigDecimal sum = BigDecimal.ZERO;
    for (var entry : amounts.entrySet()) {
      double weight = settings.resourceWeights().getOrDefault(entry.getKey(), 1.0);
      sum = sum.add(entry.getValue().multiply(BigDecimal.valueOf(weight)));
    }
    return sum;
  }
}
