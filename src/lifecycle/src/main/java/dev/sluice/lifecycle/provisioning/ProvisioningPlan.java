package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.write.Write;
import java.util.List;

/**
 * What to do about the ProvisioningRequests of one Workload. The writes are sent in order, and the
 * first that fails ends the plan.
 *
 * @param writes what to send; empty at rest
 * @param isBlocked whether an obstacle exists whose end no watch reports
 */
public record ProvisioningPlan(List<Write> writes, boolean isBlocked) {
  public ProvisioningPlan {
    writes = List.copyOf(writes);
  }
}
