package dev.sluice.server.see;

import dev.sluice.quota.Snapshot;
import dev.sluice.server.reply.Reply;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * What is known of the queues at one moment.
 *
 * @param snapshot all queues and workloads
 * @param tag an ETag that no other state of any replica has
 * @param asOf when it was new
 * @param replies what was answered in this state
 */
record QueueState(Snapshot snapshot, String tag, Instant asOf, ReplyCache replies) {
  /** A state in which nothing was answered. */
  QueueState(Snapshot snapshot, String tag, Instant asOf) {
    this(snapshot, tag, asOf, new ReplyCache());
  }

  /** The same whose tag has that part, too. */
  QueueState marked(String mark) {
    String longer = tag.substring(0, tag.length() - 1) + mark + "\"";
    return mark.isEmpty() ? this : new QueueState(snapshot, longer, asOf, replies);
  }

  /** The answer to that request, of which the tag and the request tell all that it depends on. */
  Reply answer(SeeRequest request, Supplier<Reply> make) {
    return replies.of(new ReplyCache.Question(tag, request.path(), request.query()), make);
  }
}
