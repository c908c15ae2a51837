package dev.sluice.api.workload;

import java.time.Instant;

/** Whether a gate is open. */
public record PreemptionGateState(String name, GatePosition position, Instant lastTransitionTime) {}
