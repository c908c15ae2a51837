package dev.sluice.api.check;

import java.util.List;

/** What the pods get when their nodes are there. */
public record ProvisioningRequestPodSetUpdates(List<PodSetUpdateNodeSelector> nodeSelector) {
  public ProvisioningRequestPodSetUpdates {
    nodeSelector = List.copyOf(nodeSelector);
  }
}
