package dev.sluice.api.check;

import org.jspecify.annotations.Nullable;

/** The controller of a check, and its parameters. */
public record AdmissionCheckSpec(
    String controllerName, @Nullable AdmissionCheckParametersReference parameters) {}
