package dev.sluice.api.check;

import dev.sluice.api.meta.Default;

/** How often and how long apart a request for nodes is tried. */
public record ProvisioningRequestRetryStrategy(
    @Default("3") int backoffLimitCount,
    @Default("60") int backoffBaseSeconds,
    @Default("1800") int backoffMaxSeconds) {}
