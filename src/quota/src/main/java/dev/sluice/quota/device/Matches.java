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
 */
record Matches(
    int devices, boolean shared, @Nullable BigDecimal most, int unable, @Nullable String failure) {
  static final Matches NONE = new Matches(0, false, null, 0, null);

  /** These and others. */
  Matches and(Matches other) {
    return new Matches(
        devices + other.devices,
        shared || other.shared,
        most(most, other.most),
        unable + other.unable,
        failure == null ? other.failure : failure);
  }

  private static @Nullable BigDecimal most(@Nullable BigDecimal one, @Nullable BigDecimal other) {
    return one == null ? other : other == null ? one : one.max(other);
  }
}
