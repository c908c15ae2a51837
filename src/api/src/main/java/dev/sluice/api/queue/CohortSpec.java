package dev.sluice.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parent of a cohort, and its own quotas. */
public record CohortSpec(
    @Nullable String parentName,
    List<ResourceGroup> resourceGroups,
    @Nullable FairSharing fairSharing) {
  public CohortSpec {
    resourceGroups = List.copyOf(resourceGroups);
  }
}
