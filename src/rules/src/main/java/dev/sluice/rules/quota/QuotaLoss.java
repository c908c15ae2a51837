package dev.sluice.rules.quota;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;

/**
 * A Workload that has quota and would lose it.
 *
 * @param returns whether it would get quota again at once
 */
public record QuotaLoss(ObjectKey workload, boolean returns) {
  public QuotaLoss {
    requireNonNull(workload, "workload");
  }
}
