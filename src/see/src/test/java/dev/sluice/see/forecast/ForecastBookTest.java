package dev.sluice.see.forecast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastBookTest {
  private static final ObjectKey KEY = new ObjectKey("a", "w");

  private final ForecastBook book = new ForecastBook();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private int uids;

  private void forecast(Band raw, Forecast.Status status) {
    book.update(
        Map.of(
            KEY,
            new Forecast(
                KEY,
                "u" + uids,
                "cq",
                status,
                raw,
                raw,
                new Forecast.Basis(now, Optional.empty(), 0, 32))));
  }

  private void line(Step step, double seconds) {
    Instant at = now.plusMillis((long) (seconds * 1000));
    Subject subject = new Subject("u" + uids, KEY, "q", "s", "x", 0, RunTimeHints.NONE);
    Held held = step == Step.RESERVED ? new Held("cq", at, at, null, Usage.NONE) : null;
    book.add(new Transition(at, step, subject, now, held, "", ""));
  }

  private void starts(Band raw, double seconds) {
    uids++;
    now = now.plusSeconds(60);
    forecast(raw, Forecast.Status.WINDOW);
    line(Step.RESERVED, seconds);
  }

  @Test
  void aStartIsComparedWithTheFirstWindowThatWasSaid() {
    forecast(new Band(100, 200, 300), Forecast.Status.WINDOW);
    forecast(new Band(1, 2, 3), Forecast.Status.WINDOW);
    line(Step.RESERVED, 240);

    Score score = book.score("cq");
    assertThat(score.starts()).isEqualTo(1);
    assertThat(score.within()).isEqualTo(1);
    assertThat(score.medianErrorSeconds()).isEqualTo(40);
    // a tenth of 140 late, half of 40 late, a tenth of 60 early
    assertThat(score.pinball()).isCloseTo((14 + 20 + 6) / 3.0, within(1e-9));
  }

  @Test
  void whoGoesAwayOrHasNoWindowGivesNoScore() {
    forecast(new Band(100, 200, 300), Forecast.Status.WINDOW);
    line(Step.GONE, 10);
    line(Step.RESERVED, 20);
    uids++;
    forecast(new Band(0, 0, 0), Forecast.Status.NOW);
    line(Step.RESERVED, 20);

    assertThat(book.score("cq")).isEqualTo(Score.NONE);
    assertThat(book.scores()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 1, 4})
  void bandsOfAnyWidthComeToHoldEightOfTen(double width) {
    Random random = new Random(5);
    int held = 0;
    int counted = 0;
    for (int i = 0; i < 1_500; i++) {
      double truth = Math.max(1, 600 + 200 * random.nextGaussian());
      double off = 1.2816 * 200 * width;
      uids++;
      now = now.plusSeconds(60);
      forecast(new Band(Math.max(0, 600 - off), 600, 600 + off), Forecast.Status.WINDOW);
      Forecast said = requireNonNull(book.find(KEY), "a forecast");
      line(Step.RESERVED, truth);
      counted += i < 300 ? 0 : 1;
      held += i >= 300 && said.band().holds(truth) ? 1 : 0;
    }

    assertThat((double) held / counted).isBetween(0.76, 0.84);
  }

  @Test
  void theScoreIsOfTheLastSevenDays() {
    starts(new Band(1, 2, 3), 2);
    now = now.plus(Duration.ofDays(8));
    starts(new Band(1, 2, 3), 50);

    assertThat(book.score("cq").starts()).isEqualTo(1);
    assertThat(book.score("cq").within()).isZero();
  }
}
