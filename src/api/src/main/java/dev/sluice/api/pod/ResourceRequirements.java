package dev.sluice.api.pod;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;

/** Requests and limits. */
public record ResourceRequirements(
    Map<String, Quantity> requests, Map<String, Quantity> limits, List<ResourceClaim> claims) {
  public ResourceRequirements {
    requests = Copies.of(requests);
    limits = Copies.of(limits);
    claims = List.copyOf(claims);
  }
}
