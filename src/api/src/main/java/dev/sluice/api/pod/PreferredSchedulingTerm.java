package dev.sluice.api.pod;

/** Nodes that a pod would like, and how much, from 1 to 100. */
public record PreferredSchedulingTerm(int weight, NodeSelectorTerm preference) {}
