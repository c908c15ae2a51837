package dev.sluice.api.check;

/** The ClusterProfile of a worker cluster. */
public record ClusterProfileReference(String name) {}
