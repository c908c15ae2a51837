package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.reply.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplyCacheTest {
  private static final int LARGE = 1 << 20;
  private static final int ANSWERS = 20;
  private final ReplyCache cache = new ReplyCache();
  private int made;

  private Reply ask(ReplyCache.Question question, int bytes) {
    return cache.of(
        question,
        () -> new Reply(200, Map.of(), "x".repeat(Math.max(1, bytes) + made++).getBytes(UTF_8)));
  }

  private static ReplyCache.Question question(String tag, String path, Map<String, String> query) {
    return new ReplyCache.Question(tag, path, query);
  }

  @Test
  void anAnswerIsMadeOnceForEachQuestion() {
    Reply first = ask(question("a", "/line", Map.of("limit", "1", "offset", "2")), 1);

    assertThat(ask(question("a", "/line", Map.of("offset", "2", "limit", "1")), 1)).isSameAs(first);
    assertThat(ask(question("a", "/line", Map.of("limit", "1, offset=2")), 1)).isNotSameAs(first);
    assertThat(ask(question("b", "/line", Map.of("limit", "1", "offset", "2")), 1))
        .isNotSameAs(first);
    assertThat(made).isEqualTo(3);
  }

  @Test
  void whatHasNoRoomIsMadeEachTimeAndDoesNotTakeTheRoomOfOthers() {
    for (int i = 0; i < ANSWERS; i++) {
      ask(question("a", "/" + i, Map.of()), LARGE);
    }
    made = 0;

    for (int i = 0; i < ANSWERS; i++) {
      ask(question("a", "/" + i, Map.of()), LARGE);
    }

    assertThat(ANSWERS - made).as("kept").isBetween(1, (int) (ReplyCache.ROOM / LARGE));
    Reply small = ask(question("a", "/small", Map.of()), 1);
    assertThat(ask(question("a", "/small", Map.of()), 1)).isSameAs(small);
  }

  @Test
  void theTagOfAnAnswerIsKnownAlsoWhereTheAnswerHasNoRoom() {
    int large = (int) ReplyCache.ROOM;
    ReplyCache.Question asked = question("a", "/line", Map.of());
    assertThat(cache.tag(asked)).isEmpty();

    cache.of(asked, () -> new Reply(200, Map.of("ETag", "\"t\""), new byte[large]));

    assertThat(cache.known(asked)).isEmpty();
    assertThat(cache.tag(asked)).hasValue("\"t\"");
  }
}
