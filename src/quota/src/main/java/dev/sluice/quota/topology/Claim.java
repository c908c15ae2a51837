package dev.sluice.quota.topology;

import dev.sluice.quota.request.Requests;

/** Places of a flavor for pods that take so much each. */
public record Claim(String flavor, PodPlacement placement, Requests perPod) {}
