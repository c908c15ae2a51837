package dev.sluice.api.device;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** What each pod that names it claims of devices. */
public record ResourceClaimTemplate(
    @Default("{}") ObjectMeta metadata, @Default("{}") ResourceClaimTemplateSpec spec) {}
