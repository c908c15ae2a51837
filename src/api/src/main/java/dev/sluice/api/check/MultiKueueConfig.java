package dev.sluice.api.check;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** The worker clusters that a check sends workloads to. */
public record MultiKueueConfig(
    @Default("{}") ObjectMeta metadata, @Default("{}") MultiKueueConfigSpec spec)
    implements HubObject {}
