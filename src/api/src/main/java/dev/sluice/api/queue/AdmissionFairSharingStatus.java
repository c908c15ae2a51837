package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.time.Instant;
import java.util.Map;

/** What a LocalQueue has used in the past, fading with time, and when that was computed. */
public record AdmissionFairSharingStatus(
    Map<String, Quantity> consumedResources, Instant lastUpdate) {
  public AdmissionFairSharingStatus {
    consumedResources = Copies.of(consumedResources);
  }
}
