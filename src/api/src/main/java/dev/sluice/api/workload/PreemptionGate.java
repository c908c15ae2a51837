package dev.sluice.api.workload;

/** What must open before a workload may preempt. */
public record PreemptionGate(String name) {}
