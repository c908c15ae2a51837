package dev.sluice.api.check;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** How a check asks an autoscaler for nodes. */
public record ProvisioningRequestConfig(
    @Default("{}") ObjectMeta metadata, @Default("{}") ProvisioningRequestConfigSpec spec)
    implements HubObject {}
