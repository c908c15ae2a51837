package dev.sluice.quota.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.device.CapacityRange;
import dev.sluice.api.device.CapacityRequestPolicy;
import dev.sluice.api.device.DeviceCapacity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much of the capacity of a device a claim takes. The rules are those of the field {@code
 * requestPolicy} of the API {@code resource.k8s.io}.
 */
final class CapacityUse {
  private CapacityUse() {}

  /**
   * The amount; empty if the device does not have it.
   *
   * @param requested null where the claim asks for nothing
   * @param shared whether other claims may have the rest
   */
  static Optional<BigDecimal> of(
      DeviceCapacity capacity, @Nullable Quantity requested, boolean shared) {
    BigDecimal all = capacity.value().value();
    CapacityRequestPolicy policy = capacity.requestPolicy();
    Optional<BigDecimal> taken =
        requested == null
            ? Optional.of(byDefault(policy, all))
            : policy == null ? Optional.of(requested.value()) : rounded(requested.value(), policy);
    Optional<BigDecimal> had = taken.filter(amount -> amount.compareTo(all) <= 0);
    return shared ? had : had.map(_ -> all);
  }

  private static BigDecimal byDefault(@Nullable CapacityRequestPolicy policy, BigDecimal all) {
    Quantity byDefault = policy == null ? null : policy.byDefault();
    return byDefault == null ? all : byDefault.value();
  }

  private static Optional<BigDecimal> rounded(BigDecimal requested, CapacityRequestPolicy policy) {
    if (!policy.validValues().isEmpty()) {
      return policy.validValues().stream()
          .map(Quantity::value)
          .filter(valid -> valid.compareTo(requested) >= 0)
          .min(BigDecimal::compareTo);
    }
    CapacityRange range = policy.validRange();
    return range == null ? Optional.of(requested) : within(range, requested);
  }

  private static Optional<BigDecimal> within(CapacityRange range, BigDecimal requested) {
    BigDecimal min = range.min().value();
    Quantity step = range.step();
    BigDecimal amount = requested.max(min);
    if (step != null && step.value().signum() > 0) {
      BigDecimal steps = amount.subtract(min).divide(step.value(), 0, RoundingMode.UP);
      amount = min.add(steps.multiply(step.value()));
    }
    Quantity max = range.max();
    return max != null && amount.compareTo(max.value()) > 0
        ? Optional.empty()
        : Optional.of(amount);
  }
}
