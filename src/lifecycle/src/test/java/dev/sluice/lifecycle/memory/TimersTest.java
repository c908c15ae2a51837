package dev.sluice.lifecycle.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimersTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Timers<String> timers = new Timers<>();

  private void look(String key, int at, int again, boolean changed) {
    timers.set(key, Optional.of(after(again)), changed, after(at));
  }

  private static Instant after(int seconds) {
    return NOON.plus(Duration.ofSeconds(seconds));
  }

  @Test
  void theEarliestIsNext() {
    look("late", 0, 20, true);
    look("soon", 0, 10, true);

    assertThat(timers.next()).contains(after(10));
    assertThat(timers.take(after(10))).containsExactly("soon");
    assertThat(timers.next()).contains(after(20));
  }

  @Test
  void aLaterLookReplacesTheTimeOfAnEarlierOne() {
    look("key", 0, 10, true);
    look("key", 5, 30, false);

    assertThat(timers.next()).contains(after(30));
  }

  @Test
  void aLookThatAsksForNoOtherEndsIt() {
    look("key", 0, 10, true);
    timers.set("key", Optional.empty(), false, after(5));

    assertThat(timers.next()).isEmpty();
  }

  @Test
  void aPollThatFoundNothingIsNotRepeated() {
    look("key", 0, 10, true);
    timers.take(after(10));
    look("key", 10, 20, false);

    assertThat(timers.next()).isEmpty();
  }

  @Test
  void anotherTimeAndALookThatChangedSomethingAreNoPoll() {
    look("deadline", 0, 10, true);
    look("worker", 0, 10, true);
    timers.take(after(10));
    look("deadline", 10, 40, false);
    look("worker", 10, 20, true);

    assertThat(timers.take(after(60))).containsExactlyInAnyOrder("deadline", "worker");
  }
}
