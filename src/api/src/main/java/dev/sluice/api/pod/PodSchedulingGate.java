package dev.sluice.api.pod;

/** What must go before a pod is scheduled. */
public record PodSchedulingGate(String name) {}
