package dev.sluice.api.queue;

import java.util.List;

/** Resources that a pod takes from one flavor together, and the flavors in order of preference. */
public record ResourceGroup(List<String> coveredResources, List<FlavorQuotas> flavors) {
  public ResourceGroup {
    coveredResources = List.copyOf(coveredResources);
    flavors = List.copyOf(flavors);
  }
}
