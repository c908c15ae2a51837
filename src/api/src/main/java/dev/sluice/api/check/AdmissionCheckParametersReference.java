package dev.sluice.api.check;

/** The object that has the parameters of a check. */
public record AdmissionCheckParametersReference(String apiGroup, String kind, String name) {}
