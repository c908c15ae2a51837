package dev.sluice.server.see;

import dev.sluice.quota.Snapshot;
import java.time.Instant;

/**
 * What is known of the queues at one moment.
 *
 * @param snapshot all queues and workloads
 * @param tag an ETag that no other state of any replica has
 * @param asOf when it was new
 */
record QueueState(Snapshot snapshot, String tag, Instant asOf) {
  /** The same whose tag has that part, too. */
  QueueState marked(String mark) {
    String longer = tag.substring(0, tag.length() - 1) + mark + "\"";
    return mark.isEmpty() ? this : new QueueState(snapshot, longer, asOf);
  }
}
