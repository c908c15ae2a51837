package dev.sluice.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many lines of a kind are written. */
class LineRateTest {
  private static final LineRate.Kind REFUSED = new LineRate.Kind("a.Log", "refused: {}");
  private static final LineRate.Kind FAILED = new LineRate.Kind("a.Log", "failed: {}");
  private static final int MOST = 3;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // clocks begin anywhere
  private final LineRate rate = new LineRate(now::get);

  private long written(LineRate.Kind kind, int times) {
    return IntStream.range(0, times).filter(_ -> rate.admits(kind, MOST)).count();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void writesSoManyOfAKindAndCountsTheRest() {
    assertThat(written(REFUSED, 1_000_000)).isEqualTo(MOST);
    assertThat(written(FAILED, 2)).isEqualTo(2);
    assertThat(rate.takeWithheld()).as("the minute is not over").isEmpty();
    assertThat(rate.hasWithheld()).isTrue();

    pass(LineRate.WINDOW);

    assertThat(rate.takeWithheld())
        .containsExactly(new LineRate.Withheld(REFUSED, 1_000_000 - MOST));
    assertThat(rate.takeWithheld()).isEmpty();
    assertThat(rate.hasWithheld()).isFalse();
  }

  @Test
  void beginsAnewEachMinute() {
    assertThat(written(REFUSED, MOST)).isEqualTo(MOST);
    pass(LineRate.WINDOW);
    assertThat(written(REFUSED, 10)).isEqualTo(MOST);
    pass(LineRate.WINDOW);
    assertThat(rate.takeWithheld()).containsExactly(new LineRate.Withheld(REFUSED, 10 - MOST));
    assertThat(written(REFUSED, 10)).isEqualTo(MOST);
  }

  @Test
  void losesNoCountThatNobodyHasTakenYet() {
    written(REFUSED, 10);
    pass(LineRate.WINDOW.multipliedBy(3));
    written(REFUSED, 10);

    assertThat(rate.takeWithheld()).containsExactly(new LineRate.Withheld(REFUSED, 20 - MOST));
  }

  @Test
  void takesMoreKindsThanItCanTellApartForOne() {
    long written =
        IntStream.range(0, 10 * LineRate.KINDS)
            .filter(i -> rate.admits(new LineRate.Kind("a.Log", "made up " + i), MOST))
            .count();

    assertThat(written).isEqualTo(LineRate.KINDS + MOST);
    pass(LineRate.WINDOW);
    assertThat(rate.takeWithheld())
        .singleElement()
        .satisfies(it -> assertThat(it.lines()).isEqualTo(9 * LineRate.KINDS - MOST));
  }
}
