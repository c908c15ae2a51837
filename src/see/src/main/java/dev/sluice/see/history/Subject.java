package dev.sluice.see.history;

import dev.sluice.api.meta.ObjectKey;

/**
 * A Workload as a history knows it: nothing of its pods but how many there are and what they ask
 * for.
 *
 * @param localQueue in its namespace; empty for none
 * @param series of its owner, the same for all jobs of a CronJob or of a generated name
 * @param shape its PodSets, as {@link Shapes} writes them
 */
public record Subject(
    String uid,
    ObjectKey workload,
    String localQueue,
    String series,
    String shape,
    long priority,
    RunTimeHints hints) {}
