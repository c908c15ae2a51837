package dev.sluice.quota.assign;

/** A resource of a PodSet, which gets one flavor. */
public record Slot(String podSet, String resource) {}
