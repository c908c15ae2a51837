package dev.sluice.quota.history;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The usage of all LocalQueues at one moment; immutable, for any thread. */
public final class LocalQueueUsage {
  private final AdmissionFairSharing settings;
  private final Decay decay;
  private final PersistentMap<ObjectKey, Account> accounts;
  private final PersistentMap<ObjectKey, Map<String, BigDecimal>> running;

  LocalQueueUsage(
      AdmissionFairSharing settings,
      Decay decay,
      PersistentMap<ObjectKey, Account> accounts,
      PersistentMap<ObjectKey, Map<String, BigDecimal>> running) {
    this.settings = settings;
    this.decay = decay;
    this.accounts = accounts;
    this.running = running;
  }

  /** The number that orders LocalQueues, as it was found last; infinite for one without weight. */
  public double of(ObjectKey localQueue, double weight) {
    return weighted(accounts.find(localQueue), weight);
  }

  /** The same with what ran until then. */
  public double of(ObjectKey localQueue, double weight, Instant now) {
    return weighted(at(localQueue, now), weight);
  }

  private @Nullable Account at(ObjectKey localQueue, Instant now) {
    Account known = accounts.find(localQueue);
    Map<String, BigDecimal> runs = running.find(localQueue);
    return known == null ? null : known.at(now, decay, runs == null ? Map.of() : runs);
  }

  private double weighted(@Nullable Account own, double weight) {
    if (weight <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    return own == null ? 0 : weighted(used(own)).doubleValue() / weight;
  }

  /** What counts as used, what was only just given included. */
  private static Map<String, BigDecimal> used(Account own) {
    Map<String, BigDecimal> used = own.consumed();
    for (Map<String, BigDecimal> penalty : own.penalties().values()) {
      used = UsageHistory.sum(used, penalty);
    }
    return used;
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

  /**
   * That of one LocalQueue, with what ran until then; empty where nothing is known of it.
   *
   * @param now not before anything that is known
   */
  public Optional<Sample> sample(ObjectKey localQueue, Instant now) {
    Account own = at(localQueue, now);
    return own == null
        ? Optional.empty()
        : Optional.of(new Sample(used(own), own.updated(), settings.samplingInterval()));
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
