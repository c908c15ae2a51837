package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.quota.Snapshot;
import dev.sluice.server.reply.ContentTag;
import dev.sluice.server.reply.Reply;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is known of the queues at one moment.
 *
 * @param snapshot all queues and workloads
 * @param tag a quoted text that no other state of any replica has
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

  /**
   * The answer to that request, of which the tag and the request tell all that it depends on; 304
   * if the client has it.
   */
  Reply answer(SeeRequest request, Supplier<Reply> make) {
    return known(request).orElseGet(() -> request.unlessKnown(replies.of(question(request), make)));
  }

  /** The same, if it was made before. */
  Optional<Reply> known(SeeRequest request) {
    ReplyCache.Question question = question(request);
    return replies
        .tag(question)
        .filter(request::knows)
        .map(Reply::unchanged)
        .or(() -> replies.known(question));
  }

  private ReplyCache.Question question(SeeRequest request) {
    return new ReplyCache.Question(tag, request.path(), request.query());
  }

  /** That document, with a tag of what it says. */
  Reply reply(ObjectNode document) {
    byte[] json = document.toString().getBytes(UTF_8);
    return Reply.tagged(ContentTag.of(json, asOf), json);
  }
}
