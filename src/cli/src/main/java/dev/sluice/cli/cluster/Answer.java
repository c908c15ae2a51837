package dev.sluice.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an API server.
 *
 * @param status the HTTP status
 * @param body the text as received, empty if there was none
 * @param retryAfter the Retry-After header in seconds, if present
 * @param date the server's clock, if present
 */
public record Answer(
    int status, String body, Optional<Duration> retryAfter, Optional<Instant> date) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_MESSAGE = 400;

  static Answer of(
      int status,
      @Nullable String body,
      @Nullable String retryAfterHeader,
      @Nullable String dateHeader) {
    return new Answer(
        status, body == null ? "" : body, seconds(retryAfterHeader), instant(dateHeader));
  }

  private static Optional<Duration> seconds(@Nullable String header) {
    return header != null && header.matches("[0-9]{1,6}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(header)))
        : Optional.empty();
  }

  private static Optional<Instant> instant(@Nullable String header) {
    if (header == null) {
      return Optional.empty();
    }
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

  /** Parses the body on each call; a missing node if it is not JSON. */
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
