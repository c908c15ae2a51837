package dev.sluice.see.forecast;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A forecast as the text of an annotation: its status, then times of whole minutes in UTC, such as
 * {@code Window from=2026-11-26T02:10Z likely=2026-11-26T02:30Z until=2026-11-26T03:05Z
 * asOf=2026-11-26T00:41Z}. Only a window has the first three, and one that ends after the horizon
 * has no {@code until}.
 *
 * <p>The written text alone decides whether another one is needed. So a restarted process, or
 * another replica, continues where the last one stopped.
 */
public final class ForecastAnnotation {
  /** A text that is younger stays, or one that is on an edge would be written again and again. */
  static final Duration LEAST_AGE = Duration.ofMinutes(5);

  /** Windows that are narrower count as so wide: nobody plans by minutes. */
  static final Duration LEAST_WIDTH = Duration.ofMinutes(10);

  /** A window of another width is another state from this ratio on. */
  private static final double OTHER_WIDTH = 2;

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mmX").withZone(ZoneOffset.UTC);

  private ForecastAnnotation() {}

  /** The times of a window; the end is null if it is after the horizon. */
  private record Window(Instant from, Instant likely, @Nullable Instant until) {
    static Window of(Forecast forecast) {
      Band band = forecast.band();
      return new Window(
          forecast.at(band.early()).truncatedTo(ChronoUnit.MINUTES),
          forecast.at(band.middle()).truncatedTo(ChronoUnit.MINUTES),
          Double.isFinite(band.late())
              ? forecast.at(band.late()).plusSeconds(59).truncatedTo(ChronoUnit.MINUTES)
              : null);
    }

    /** Whether the other window tells something else: its middle is not in it, or its width. */
    boolean isOther(Window other) {
      if (until == null || other.until == null) {
        return (until == null) != (other.until == null) || other.likely.isBefore(from);
      }
      double ratio = seconds(from, until) / seconds(other.from, other.until);
      return other.likely.isBefore(from)
          || other.likely.isAfter(until)
          || ratio >= OTHER_WIDTH
          || ratio <= 1 / OTHER_WIDTH;
    }

    private static double seconds(Instant from, Instant until) {
      return Math.max(Duration.between(from, until).toSeconds(), LEAST_WIDTH.toSeconds());
    }
  }

  /** What a text says; empty for one that is none of ours. */
  private record Written(String status, @Nullable Window window, Instant asOf) {
    static Optional<Written> read(String text) {
      String[] words = text.split(" ", -1);
      Map<String, String> times = new HashMap<>();
      for (int i = 1; i < words.length; i++) {
        int sign = words[i].indexOf('=');
        times.put(words[i].substring(0, Math.max(sign, 0)), words[i].substring(sign + 1));
      }
      try {
        Instant likely = time(times.get("likely"));
        Instant from = time(times.get("from"));
        Instant asOf = time(times.get("asOf"));
        return asOf == null
            ? Optional.empty()
            : Optional.of(
                new Written(
                    words[0],
                    from == null || likely == null
                        ? null
                        : new Window(from, likely, time(times.get("until"))),
                    asOf));
      } catch (DateTimeParseException _) {
        return Optional.empty();
      }
    }

    private static @Nullable Instant time(@Nullable String text) {
      return text == null ? null : MINUTE.parse(text, Instant::from);
    }

    boolean says(Forecast forecast) {
      if (!status.equals(forecast.status().text())) {
        return false;
      }
      return forecast.status() != Forecast.Status.WINDOW
          || (window != null && !window.isOther(Window.of(forecast)));
    }

    boolean isYoung(Instant now) {
      return asOf.plus(LEAST_AGE).isAfter(now) && !asOf.isAfter(now);
    }
  }

  /**
   * The text that has to be written; empty if the written one says the same, or is younger than
   * five minutes. It says the same if its status is the same, the middle of the window is still
   * within the written one, and the width is neither half of that nor twice as much.
   *
   * @param written what is there; empty for nothing
   */
  public static Optional<String> next(Forecast forecast, String written) {
    Optional<Written> before = Written.read(written);
    boolean stays =
        before.isPresent()
            && (before.get().says(forecast) || before.get().isYoung(forecast.basis().asOf()));
    return stays ? Optional.empty() : Optional.of(text(forecast));
  }

  private static String text(Forecast forecast) {
    StringBuilder text = new StringBuilder(forecast.status().text());
    if (forecast.status() == Forecast.Status.WINDOW) {
      Window window = Window.of(forecast);
      text.append(" from=").append(MINUTE.format(window.from()));
      text.append(" likely=").append(MINUTE.format(window.likely()));
      if (window.until() != null) {
        text.append(" until=").append(MINUTE.format(window.until()));
      }
    }
    return text.append(" asOf=").append(MINUTE.format(forecast.basis().asOf())).toString();
  }
}
