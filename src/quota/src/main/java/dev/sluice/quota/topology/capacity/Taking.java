package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.topology.domain.CapacityBucket;

/** Amounts taken of a bucket. */
final class Taking {
  private final CapacityBucket bin;
  private final long[] amounts;

  Taking(CapacityBucket bin, long[] amounts) {
    this.bin = bin;
    this.amounts = amounts;
  }

  CapacityBucket bin() {
    return bin;
  }

  /** By the numbers of resources. Not to be changed. */
  long[] amounts() {
    return amounts;
  }
}
