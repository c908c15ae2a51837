package dev.sluice.api.flavor;

/** One level: the label whose values name its domains. */
public record TopologyLevel(String nodeLabel) {}
