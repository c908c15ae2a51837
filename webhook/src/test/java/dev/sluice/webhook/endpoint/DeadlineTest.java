package dev.sluice.webhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
  @ParameterizedTest
  @CsvSource({
    "5s, PT5S",
    "30s, PT30S",
    "1m30s, PT1M30S",
    "1m0s, PT1M",
    "1h0m0s, PT1H",
    "1h, PT1H",
    "500ms, PT0.5S",
    "1.5s, PT1.5S",
    "0.25s, PT0.25S",
    "2m0.000000001s, PT2M0.000000001S",
    "1.5ms, PT0.0015S",
    "999h59m59s, PT999H59M59S",
    "1.5h, PT1H30M",
    "1s1m, PT1M1S",
    "+5s, PT5S",
  })
  void readsADurationAsKubernetesWritesIt(String text, Duration expected) {
    assertThat(Deadline.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0s",
        "0",
        "0ms",
        "5",
        "s",
        "soon",
        "-5s",
        "5 s",
        " 5s",
        "5S",
        "1e3s",
        "99999999999999999999s",
        "1000h",
        "9999999h",
        "٣s"
      })
  void readsNothingElse(String text) {
    assertThat(Deadline.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -7, Long.MAX_VALUE - 3, Long.MIN_VALUE})
  void isOverOnceItsTimeIsOverWhereverTheClockBegan(long start) {
    var clock = new AtomicLong(start);

    Deadline deadline = Deadline.after(Duration.ofNanos(10), clock::get);

    assertThat(deadline.expired()).isFalse();
    clock.addAndGet(9);
    assertThat(deadline.expired()).isFalse();
    clock.addAndGet(1);
    assertThat(deadline.expired()).isTrue();
  }

  @Test
  void isNeverShorterThanAsked() {
    var clock = new AtomicLong();

    assertThat(Deadline.after(Duration.ofDays(1), clock::get).expired()).isFalse();
  }
}
