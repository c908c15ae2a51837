package dev.sluice.see.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastAnnotationTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:20Z");
  private static final double MINUTE = 60;

  private static Forecast forecast(Instant asOf, Forecast.Status status, Band band) {
    return new Forecast(
        new ObjectKey("a", "w"),
        "u",
        "cq",
        status,
        band,
        band,
        new Forecast.Basis(asOf, Optional.empty(), 0, 32));
  }

  /** A window of these minutes from that time on. */
  private static Forecast window(Instant asOf, double early, double middle, double late) {
    return forecast(
        asOf, Forecast.Status.WINDOW, new Band(early * MINUTE, middle * MINUTE, late * MINUTE));
  }

  private static String first(Forecast forecast) {
    return ForecastAnnotation.next(forecast, "").orElseThrow();
  }

  @Test
  void aWindowHasItsTimesInWholeMinutesAndNeverLooksNarrower() {
    assertThat(first(window(NOW, 60, 90, 150)))
        .isEqualTo(
            "Window from=2026-01-01T11:00Z likely=2026-01-01T11:30Z until=2026-01-01T12:31Z"
                + " asOf=2026-01-01T10:00Z");
    assertThat(first(window(NOW, 60, 90, Double.POSITIVE_INFINITY)))
        .isEqualTo("Window from=2026-01-01T11:00Z likely=2026-01-01T11:30Z asOf=2026-01-01T10:00Z");
  }

  @ParameterizedTest
  @EnumSource(names = "WINDOW", mode = EnumSource.Mode.EXCLUDE)
  void whatHasNoWindowIsItsStatus(Forecast.Status status) {
    double never = Double.POSITIVE_INFINITY;

    assertThat(first(forecast(NOW, status, new Band(never, never, never))))
        .isEqualTo(status.text() + " asOf=2026-01-01T10:00Z");
  }

  @ParameterizedTest(name = "an hour later, from {0} to {2}: {3}")
  @CsvSource({
    "60, 90, 150, false", // as before, an hour later: the middle is at its end
    "0, 30, 90, false", // exactly what was said
    "0, 1, 90, false",
    "0, 30, 46, false", // nearly half as wide
    "0, 30, 45, true", // half as wide
    "0, 30, 180, true", // twice as wide
    "91, 92, 181, true", // later than was said
  })
  void aWindowIsWrittenAgainIfItsMiddleLeftWhatWasSaidOrItsWidthIsAnother(
      double early, double middle, double late, boolean isWritten) {
    String written = first(window(Instant.parse("2026-01-01T10:00:00Z"), 60, 90, 150));

    Optional<String> next =
        ForecastAnnotation.next(
            window(Instant.parse("2026-01-01T11:00:00Z"), early, middle, late), written);

    assertThat(next.isPresent()).isEqualTo(isWritten);
  }

  @Test
  void aWindowWhoseEndIsBeyondTheHorizonIsAnotherThanOneThatEnds() {
    double never = Double.POSITIVE_INFINITY;
    Instant later = NOW.plus(Duration.ofHours(1));

    assertThat(
            ForecastAnnotation.next(window(later, 0, 60, never), first(window(NOW, 60, 90, 150))))
        .isPresent();
    assertThat(ForecastAnnotation.next(window(later, 0, 60, 90), first(window(NOW, 60, 90, never))))
        .isPresent();
    assertThat(
            ForecastAnnotation.next(window(later, 0, 60, never), first(window(NOW, 60, 90, never))))
        .isEmpty();
  }

  @Test
  void anotherStatusIsWrittenOnceTheLastOneIsFiveMinutesOld() {
    String written = first(window(NOW, 60, 90, 150));
    double never = Double.POSITIVE_INFINITY;
    Band none = new Band(never, never, never);

    assertThat(
            ForecastAnnotation.next(
                forecast(NOW.plusSeconds(200), Forecast.Status.BLOCKED, none), written))
        .isEmpty();
    assertThat(
            ForecastAnnotation.next(
                forecast(NOW.plusSeconds(300), Forecast.Status.BLOCKED, none), written))
        .hasValue("Blocked asOf=2026-01-01T10:05Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Window",
        "soon",
        "Window from=now likely=then asOf=2026-01-01T10:00Z",
        "Window asOf=2026-13-01T10:00Z",
        "Window from=2026-01-01T11:00Z asOf=2026-01-01T09:00Z",
        "= == =",
        "Window asOf=2027-01-01T10:00Z", // a clock was wrong
      })
  void whatIsNoneOfOursIsWrittenOver(String written) {
    assertThat(ForecastAnnotation.next(window(NOW, 60, 90, 150), written)).isPresent();
  }

  @Test
  void forecastsThatWaverAreWrittenNoOftenerThanEachFiveMinutesAndGoodOnesAFewTimes() {
    Random random = new Random(4);
    String wavering = "";
    String steady = "";
    int writes = 0;
    int steadyWrites = 0;
    for (int second = 0; second < 7_200; second += 10) {
      Instant at = NOW.plusSeconds(second);
      double middle = random.nextBoolean() ? 30 : 300;
      Optional<String> next =
          ForecastAnnotation.next(window(at, middle - 1, middle, middle + 1), wavering);
      writes += next.isPresent() ? 1 : 0;
      wavering = next.orElse(wavering);
      double left = 120 - second / MINUTE + random.nextDouble(-2, 2);
      Optional<String> other =
          ForecastAnnotation.next(
              window(at, Math.max(0, left * 0.7), Math.max(0, left), Math.max(0, left * 1.5)),
              steady);
      steadyWrites += other.isPresent() ? 1 : 0;
      steady = other.orElse(steady);
    }
    assertThat(writes).isBetween(2, 25);
    assertThat(steadyWrites).isBetween(2, 6);
  }
}
