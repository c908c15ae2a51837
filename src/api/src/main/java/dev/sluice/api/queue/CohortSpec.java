package dev.sluice.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a cohort hangs in the tree, and what it adds. */
public record CohortSpec(
    @Nullable String parentName,
    List<ResourceGroup> resourceGroups,
    @Nullable FairSharing fairSharing) {
  public CohortSpec {
    resourceGroups = List.copyOf(resourceGroups);
  }
}
