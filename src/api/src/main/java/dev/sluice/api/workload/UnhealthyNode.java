package dev.sluice.api.workload;

/** A node that a workload runs on and that failed. */
public record UnhealthyNode(String name) {}
