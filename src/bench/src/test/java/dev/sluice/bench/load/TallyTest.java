package dev.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiVersion;
import dev.sluice.bench.objects.Expected;
import dev.sluice.bench.objects.Review;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final Window WINDOW = new Window(Duration.ofSeconds(1), Duration.ofSeconds(2));
  private static final Review REVIEW =
      new Review("/convert", "uid", 3, new Expected.Converted(ApiVersion.HUB), new byte[100]);
  private static final Usage NO_USAGE = new Usage(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  @Test
  void countsWhatArrivesWithinTheMeasuredTime() {
    Tally tally = new Tally(0, WINDOW, false);

    answer(tally, 900, 999);
    answer(tally, 999, 1000);
    answer(tally, 1000, 2999);
    answer(tally, 2500, 3000);

    Sample sample = tally.sample(NO_USAGE);
    assertThat(sample.sent()).isEqualTo(4);
    assertThat(sample.requests()).isEqualTo(2);
    assertThat(sample.objectsPerSecond()).isEqualTo(3.0);
    assertThat(sample.complete()).isTrue();
  }

  @Test
  void chargesAStallAtAFixedRateToEveryRequestThatWasDueInIt() {
    Tally tally = new Tally(0, WINDOW, true);

    for (int due = 1000; due < 3000; due += 100) {
      answer(tally, due, 5000); // nothing was answered until long after the measured time
    }

    Sample sample = tally.sample(NO_USAGE);
    assertThat(sample.requests()).isEqualTo(20);
    assertThat(sample.latency().p50()).isEqualTo(Duration.ofSeconds(3));
    assertThat(sample.latency().p99()).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void isNotCompleteWithoutAnAnswerOrWithABadOne() {
    Tally unanswered = new Tally(0, WINDOW, false);
    answer(unanswered, 1000, 1001);
    unanswered.sent(millis(1002), millis(1002));
    Tally bad = new Tally(0, WINDOW, false);
    answer(bad, 1000, 1001);
    bad.sent(millis(1002), millis(1002));
    bad.failed("status 429");

    assertThat(unanswered.sample(NO_USAGE).complete()).isFalse();
    assertThat(bad.sample(NO_USAGE).complete()).isFalse();
    assertThat(bad.sample(NO_USAGE).firstFailure()).isEqualTo("status 429");
  }

  private static void answer(Tally tally, long sentMillis, long answeredMillis) {
    tally.sent(millis(sentMillis), millis(sentMillis));
    tally.good(REVIEW, millis(sentMillis), millis(answeredMillis));
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
