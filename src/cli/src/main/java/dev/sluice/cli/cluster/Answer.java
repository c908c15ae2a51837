package dev.sluice.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.cluster.api.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What an API server said.
 *
 * @param status the HTTP status
 * @param body the text as it came, empty if there was none
 * @param retryAfter when to come back, if the server said so in seconds
 * @param date the server's clock, if it told
 */
public record Answer(
    int status, String body, Optional<Duration> retryAfter, Optional<Instant> date) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_MESSAGE = 400;

  static Answer of(Connection.Answer answer) {
    return new Answer(
        answer.status(),
        new String(answer.body(), UTF_8),
        answer.retryAfter().flatMap(Answer::seconds),
        answer.date().flatMap(Answer::instant));
  }

  private static Optional<Duration> seconds(String header) {
    return header.matches("[0-9]{1,6}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(header)))
        : Optional.empty();
  }

  private static Optional<Instant> instant(String header) {
    try {
      return Optional.of(
          ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** Whether the status is one of the 2xx. */
  public boolean isSuccess() {
    return status / 100 == 2;
  }

  /** Parses the body, anew on each call; a missing node if it is no JSON. */
  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }

  /** What the server said in words, on one line, cut where it gets long. */
  public String message() {
    String text = json().path("message").asText(body).strip().replaceAll("\\s+", " ");
    if (text.isEmpty()) {
      return "HTTP status " + status;
    }
    return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + " ...";
  }
}
