package dev.sluice.api.check;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** A condition outside the quota that workloads wait for. */
public record AdmissionCheck(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") AdmissionCheckSpec spec,
    @Default("{}") AdmissionCheckStatus status)
    implements HubObject {}
