package dev.sluice.quota.topology.placement;

import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.PodPlacement;

/** Places of a flavor for pods that take so much each. */
public record PlacedPods(String flavor, PodPlacement placement, Requests perPod) {}
