package dev.sluice.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.queue.LocalQueue;
import org.junit.jupiter.api.Test;

class QueueReadsTest {
  private final QueueReads reads = new QueueReads();

  private static JsonNode queue(String clusterQueue) {
    try {
      return new ObjectMapper()
          .readTree(
              "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"clusterQueue\":\"%s\"}}"
                  .formatted(clusterQueue));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private LocalQueue read(JsonNode tree) {
    return reads.read(LocalQueue.class, tree).orElseThrow();
  }

  @Test
  void readsAQueueOnceAsLongAsEachPassFindsItUnchanged() {
    JsonNode tree = queue("cq");
    LocalQueue first = read(tree);
    for (int pass = 0; pass < 3; pass++) {
      reads.begin();
      assertThat(read(tree)).isSameAs(first);
    }
  }

  @Test
  void readsAQueueThatChanged() {
    read(queue("before"));
    reads.begin();

    assertThat(read(queue("after")).spec().clusterQueue()).isEqualTo("after");
  }

  @Test
  void forgetsWhatAPassDidNotFind() {
    JsonNode tree = queue("cq");
    LocalQueue first = read(tree);
    reads.begin();
    reads.begin();

    assertThat(read(tree)).isNotSameAs(first);
  }

  @Test
  void leavesOutWhatHasNotTheFormOfAQueue() throws JsonProcessingException {
    JsonNode malformed = new ObjectMapper().readTree("{\"metadata\":7}");

    assertThat(reads.read(LocalQueue.class, malformed)).isEmpty();
  }
}
