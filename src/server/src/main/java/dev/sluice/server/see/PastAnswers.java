package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.history.HistoryPages;
import dev.sluice.server.history.HistoryPages.Place;
import dev.sluice.server.reply.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Answers what is asked about all of the past: the lines of the history, and scores. */
record PastAnswers(Past past) {
  private static final int USUAL_LINES = 1_000;

  /** The latest second that a time may name, in the year 9999. */
  private static final long LATEST = 253_402_300_799L;

  static Reply noHistory() {
    return Reply.failure(
        404,
        "NotFound",
        "the server of view.sluice.dev keeps no history (expected: --history DIR)");
  }

  Reply answer(String resource, Instant asOf, SeeRequest request) {
    Optional<HistoryPages> pages = past.pages();
    if (pages.isEmpty()) {
      return noHistory();
    }
    if (resource.equals(ViewApi.SCORES)) {
      return reply(ForecastDocuments.of(past.scores(), ViewDocuments.of("ForecastScores", asOf)));
    }
    try {
      return reply(page(pages.get(), asOf, request.query()));
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Reply.failure(503, "ServiceUnavailable", "the history cannot be read: " + e);
    }
  }

  private static ObjectNode page(HistoryPages pages, Instant asOf, Map<String, String> query)
      throws IOException {
    long since = number(query, "since", 0, 0, LATEST);
    Place from =
        new Place(
            number(query, "segment", 0, HistoryPages.OPEN, Long.MAX_VALUE),
            number(query, "offset", 0, 0, Long.MAX_VALUE));
    int limit = (int) number(query, "limit", USUAL_LINES, 1, HistoryPages.MOST_LINES);
    long instance = number(query, "instance", pages.instance(), 0, Long.MAX_VALUE);
    if (instance != pages.instance()) {
      throw new IllegalArgumentException(
          "instance: that page is of another replica (expected: begin again without a place)");
    }
    HistoryPages.Page page = pages.read(from, Instant.ofEpochSecond(since), limit);
    ObjectNode document = ViewDocuments.of("History", asOf);
    var items = document.putArray("items");
    page.lines().forEach(items::add);
    Place next = page.next();
    if (next != null) {
      document
          .putObject("next")
          .put("segment", next.segment())
          .put("offset", next.offset())
          .put("instance", pages.instance());
    }
    return document;
  }

  private static long number(
      Map<String, String> query, String name, long usual, long least, long most) {
    String text = query.getOrDefault(name, "");
    if (text.isEmpty()) {
      return usual;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // the same answer
    }
    throw new IllegalArgumentException(
        "%s: '%s' (expected: a whole number from %d to %d)".formatted(name, text, least, most));
  }

  private static Reply reply(ObjectNode document) {
    return new Reply(
        200,
        Map.of("Content-Type", Reply.JSON, "Cache-Control", "no-store"),
        document.toString().getBytes(StandardCharsets.UTF_8));
  }
}
