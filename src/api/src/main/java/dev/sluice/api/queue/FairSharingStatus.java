package dev.sluice.api.queue;

/** How far somebody is above its share: thousandths, divided by its weight. */
public record FairSharingStatus(long weightedShare) {}
