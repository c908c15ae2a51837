package dev.sluice.lifecycle.variant;

import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The next writes for the variants of one Workload. They are sent in order; the first that fails
 * ends the plan.
 *
 * @param again when to plan again without a change
 */
public record VariantPlan(List<Write> writes, Optional<Instant> again) {
  static final VariantPlan REST = new VariantPlan(List.of(), Optional.empty());

  public VariantPlan {
    writes = List.copyOf(writes);
  }

  static VariantPlan of(List<Write> writes) {
    return new VariantPlan(writes, Optional.empty());
  }

  boolean isRest() {
    return writes.isEmpty();
  }
}
