package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TaggedQueuesTest {
  private final AtomicLong forecasts = new AtomicLong();
  private final QueueSource queues = new TaggedQueues(new LiveQueues(), forecasts::get);

  private String tag() {
    return queues.state().orElseThrow().tag();
  }

  @Test
  void anAnswerOfAForkHasTheTagOfTheState() {
    assertThat(queues.fork().join().state().tag()).isEqualTo(tag());
  }

  @Test
  void aNewForecastChangesTheTag() {
    String before = tag();

    forecasts.incrementAndGet();

    assertThat(tag()).isNotEqualTo(before).matches("\".+\"");
    assertThat(queues.fork().join().state().tag()).isEqualTo(tag());
  }
}
