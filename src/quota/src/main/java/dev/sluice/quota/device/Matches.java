package dev.sluice.quota.device;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a query is about.
 *
 * @param devices how many there are
 * @param shared whether one of them serves several claims
 * @param most the most that one of them counts as; null where none says
 * @param unable how many of them have less than is asked for
 * @param failure why a selector could not be evaluated for a device; null if all could
 * @param steps what the selectors took, also for devices that do not match
 */
record Matches(
    int devices,
    boolean shared,
    @Nullable BigDecimal most,
    int unable,
    @Nullable String failure,
    long steps) {
  static final Matches NONE = new Matches(0, false, null, 0, null, 0);

  /** One device, which has what is asked for or not. */
  static Matches one(boolean shared, @Nullable BigDecimal amount, boolean able) {
    return new Matches(1, shared, amount, able ? 0 : 1, null, 0);
  }

  /** No device, since a selector failed. */
  static Matches failed(String failure) {
    return new Matches(0, false, null, 0, failure, 0);
  }

  /** The same, found with so many more steps. */
  Matches after(long more) {
    return new Matches(devices, shared, most, unable, failure, steps + more);
  }

  /** These and others. */
  Matches and(Matches other) {
    return new Matches(
        devices + other.devices,
        shared || other.shared,
        most(most, other.most),
        unable + other.unable,
        failure == null ? other.failure : failure,
        steps + other.steps);
  }

  private static @Nullable BigDecimal most(@Nullable BigDecimal one, @Nullable BigDecimal other) {
    return one == null ? other : other == null ? one : one.max(other);
  }
}
