package dev.sluice.server.see;

import dev.sluice.server.reply.Reply;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Answers in one state of the queues, so that callers who ask the same at the same time share one.
 * Keeps 8 MiB of them, and makes what has no room each time. Of that, it keeps at most 4,096 ETags,
 * so that a caller who has such an answer is not the reason to make it again. Thread-safe.
 */
final class ReplyCache {
  /** Bytes. */
  static final long ROOM = 8L << 20;

  private static final int MOST_TAGS = 4_096;

  /** Bytes of an answer beside its body, roughly. */
  private static final int OVERHEAD = 1_000;

  /**
   * All that an answer depends on, beside the state of the queues.
   *
   * @param tag of the state, with a mark of the rights of the caller
   */
  record Question(String tag, String path, Map<String, String> query) {
    private long bytes() {
      long bytes = (long) tag.length() + path.length();
      for (Map.Entry<String, String> parameter : query.entrySet()) {
        bytes += (long) parameter.getKey().length() + parameter.getValue().length();
      }
      return 2 * bytes;
    }
  }

  private final Map<Question, Reply> replies = new ConcurrentHashMap<>();
  private final AtomicLong room = new AtomicLong(ROOM);

  /** ETags of answers that had no room. */
  private final Map<Question, String> tags = new ConcurrentHashMap<>();

  /** The answer to that, if it is kept. */
  Optional<Reply> known(Question question) {
    return Optional.ofNullable(replies.get(question));
  }

  /** The ETag of the answer to that, if it was made and has one. */
  Optional<String> tag(Question question) {
    Reply known = replies.get(question);
    return Optional.ofNullable(known == null ? tags.get(question) : known.tag());
  }

  /** The answer to that. */
  Reply of(Question question, Supplier<Reply> make) {
    Reply known = replies.get(question);
    if (known != null) {
      return known;
    }
    Reply made = make.get();
    long bytes = OVERHEAD + question.bytes() + made.body().length;
    boolean fits = room.addAndGet(-bytes) >= 0;
    Reply other = fits ? replies.putIfAbsent(question, made) : null;
    if (!fits || other != null) { // somebody may have made it meanwhile
      room.addAndGet(bytes);
    }
    String tag = made.tag();
    if (!fits && tag != null && tags.size() < MOST_TAGS) {
      tags.put(question, tag);
    }
    return other == null ? made : other;
  }
}
