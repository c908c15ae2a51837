package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeDelayTest {
  private static final Duration MOST = Duration.ofMillis(20);
  private static final long MILLI = 1_000_000;

  @Test
  void aChangeThatComesAloneIsTakenInAtOnce() {
    var delay = new ChangeDelay(4, MOST, 0);
    assertThat(delay.left(0)).isZero();

    delay.worked(0, 2 * MILLI);

    assertThat(delay.left(10 * MILLI)).isZero();
    assertThat(delay.left(Duration.ofDays(300).toNanos())).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 4", "3, 12", "5, 20", "6, 20", "1000, 20"})
  void whatFollowsWaitsForFourTimesTheLastWorkUpToABound(long worked, long waits) {
    var delay = new ChangeDelay(4, MOST, 0);

    delay.worked(7 * MILLI, (7 + worked) * MILLI);

    assertThat(delay.left((7 + worked) * MILLI)).isEqualTo(waits * MILLI);
  }

  /** The clock starts anywhere, and it may pass its largest number. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -3, 0, Long.MAX_VALUE - 9 * 1_000_000})
  void aStreamTakesAFifthOfTheTimeAndNobodyWaitsForLongerThanTheBound(long start) {
    var delay = new ChangeDelay(4, MOST, start);
    Random random = new Random(7);
    long now = start;
    long busy = 0;
    for (int step = 0; step < 1_000; step++) {
      long left = delay.left(now);
      assertThat(left).isBetween(0L, MOST.toNanos());
      now += left;
      assertThat(delay.left(now)).isZero();
      long work = random.nextLong(5 * MILLI);
      delay.worked(now, now + work);
      now += work;
      busy += work;
    }
    assertThat(5.0 * busy / (now - start)).isBetween(0.99, 1.01);
  }
}
