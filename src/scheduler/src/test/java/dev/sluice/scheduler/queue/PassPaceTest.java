package dev.sluice.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassPaceTest {
  private static final long START = Long.MAX_VALUE - 5; // a monotonic clock may overflow

  private static long after(long millis) {
    return START + Duration.ofMillis(millis).toNanos();
  }

  private static long left(PassPace pace, int writes, long millis) {
    return Duration.ofNanos(pace.left(START, writes, after(millis))).toMillis();
  }

  @ParameterizedTest(name = "{0} writes of a pass make the next one wait for {1} ms")
  @CsvSource({"0, 0", "1, 120", "30, 3600", "1000, 10000"})
  void whileQueuesMoveEachWriteAddsToThePauseUpToABound(int writes, long millis) {
    PassPace pace = new PassPace(START);
    long now = Math.max(0, millis - 10);
    pace.moved(after(now));

    assertThat(left(pace, writes, now)).isEqualTo(millis - now);
  }

  @Test
  void onceNothingMovesThePauseIsOver() {
    PassPace pace = new PassPace(START);
    pace.moved(after(1000));

    assertThat(left(pace, 1000, 1200)).isEqualTo(300);
    assertThat(left(pace, 1000, 1500)).isZero();
  }

  @Test
  void aMoveBeforeTheEndOfThePassIsPartOfIt() {
    PassPace pace = new PassPace(START);
    pace.moved(after(-2000));

    assertThat(left(pace, 1000, 0)).isEqualTo(500);
  }
}
