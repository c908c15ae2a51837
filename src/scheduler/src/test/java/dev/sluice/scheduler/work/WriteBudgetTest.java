package dev.sluice.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteBudgetTest {
  private long now = Long.MAX_VALUE - 1; // it may overflow

  @ParameterizedTest(name = "{0} s for each write: {1}")
  @CsvSource({"0, 50", "1, 50", "10, 13", "80, 2"})
  void hasFiftyWritesOrThoseThatBeginWithinTwoMinutes(int seconds, int writes) {
    var budget = new WriteBudget(() -> now);
    int sent = 0;
    while (budget.take()) {
      sent++;
      now += TimeUnit.SECONDS.toNanos(seconds);
    }

    assertThat(sent).isEqualTo(writes);
  }
}
