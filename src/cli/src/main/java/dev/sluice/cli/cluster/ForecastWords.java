package dev.sluice.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** A forecast of the API as words, with times of this machine's zone. */
public final class ForecastWords {
  private static final DateTimeFormatter TODAY =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
  private static final DateTimeFormatter LATER =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

  private ForecastWords() {}

  /** The sentence about a document of the kind Forecast. */
  public static String of(JsonNode document) {
    return document.path("waits").asBoolean() ? when(document) : "it does not wait for quota";
  }

  /** The words for the forecast in a document about a Workload that waits. */
  public static String when(JsonNode document) {
    JsonNode forecast = document.path("forecast");
    String words =
        switch (forecast.path("status").asText()) {
          case "Now" -> "at once";
          case "Window" ->
              "between %s and %s, most likely %s"
                  .formatted(
                      time(document, forecast, "from"),
                      forecast.has("until")
                          ? time(document, forecast, "until")
                          : "a time beyond the horizon",
                      time(document, forecast, "likely"));
          case "BeyondHorizon" -> "probably not in the next day";
          case "Blocked" -> "not before a quota or a queue changes";
          case "TooLittleHistory" -> "not known: too few workloads have ended yet";
          default -> "not known yet";
        };
    JsonNode score = forecast.path("score");
    return score.path("starts").asInt() == 0
        ? words
        : words
            + "; %d of the last %d starts were in their bands"
                .formatted(score.path("within").asInt(), score.path("starts").asInt());
  }

  private static String time(JsonNode document, JsonNode forecast, String member) {
    try {
      Instant time = Instant.parse(forecast.path(member).asText());
      Instant now = Instant.parse(document.path("asOf").asText());
      return (LATER.format(time).substring(0, 5).equals(LATER.format(now).substring(0, 5))
              ? TODAY
              : LATER)
          .format(time);
    } catch (DateTimeParseException _) {
      return "?";
    }
  }

  /** A few words for a column of a table; the times count from {@code asOf}. */
  public static String brief(JsonNode forecast, String asOf) {
    return switch (forecast.path("status").asText()) {
      case "Now" -> "now";
      case "Window" -> window(forecast, asOf);
      case "BeyondHorizon" -> "> 1 day";
      case "Blocked" -> "blocked";
      case "TooLittleHistory" -> "?";
      default -> "";
    };
  }

  private static String window(JsonNode forecast, String asOf) {
    try {
      Instant now = Instant.parse(asOf);
      String until = forecast.has("until") ? left(now, forecast, "until") : "...";
      return "in %s-%s".formatted(left(now, forecast, "from"), until);
    } catch (DateTimeParseException _) {
      return "";
    }
  }

  private static String left(Instant now, JsonNode forecast, String member) {
    return BriefTime.of(Duration.between(now, Instant.parse(forecast.path(member).asText())));
  }
}
