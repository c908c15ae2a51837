package dev.sluice.server.see;

import dev.sluice.quota.Snapshot;

/**
 * What is known of the queues at one moment.
 *
 * @param snapshot all queues and workloads
 * @param tag an ETag that no other state of any replica has
 */
record QueueState(Snapshot snapshot, String tag) {}
