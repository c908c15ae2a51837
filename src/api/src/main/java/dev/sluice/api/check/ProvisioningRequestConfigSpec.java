package dev.sluice.api.check;

import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Default;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The class and parameters of the requests for nodes. */
public record ProvisioningRequestConfigSpec(
    String provisioningClassName,
    Map<String, String> parameters,
    List<String> managedResources,
    @Default("{}") ProvisioningRequestRetryStrategy retryStrategy,
    @Nullable ProvisioningRequestPodSetUpdates podSetUpdates,
    @Nullable PodSetMergePolicy podSetMergePolicy) {
  public ProvisioningRequestConfigSpec {
    parameters = Copies.of(parameters);
    managedResources = List.copyOf(managedResources);
  }
}
