package dev.sluice.api.queue;

/** How far a node is above its share: thousandths, divided by its weight. */
public record FairSharingStatus(long weightedShare) {}
