package dev.sluice.api.check;

import org.jspecify.annotations.Nullable;

/** Who handles a check, and where its parameters are. */
public record AdmissionCheckSpec(
    String controllerName, @Nullable AdmissionCheckParametersReference parameters) {}
