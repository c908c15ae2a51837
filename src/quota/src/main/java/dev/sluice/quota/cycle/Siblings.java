package dev.sluice.quota.cycle;

import dev.sluice.quota.world.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * The variants of one workload under concurrent admission: copies that are each restricted to some
 * flavors.
 */
public interface Siblings {
  /** The variant of the same parent that holds quota, or null. */
  @Nullable WorkloadState holding(WorkloadState variant);
}
