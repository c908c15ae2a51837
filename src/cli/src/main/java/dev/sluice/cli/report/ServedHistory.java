package dev.sluice.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.server.history.HistoryJson;
import java.time.Instant;
import java.util.function.Consumer;

/** The history that the server of view.sluice.dev keeps. */
final class ServedHistory {
  private static final int LIMIT = 5_000;

  private ServedHistory() {}

  /** Reads all lines that are not older, page by page, and what is held now. */
  static void read(ApiServer server, Instant since, Consumer<HistoryLine> lines) {
    String place = "";
    while (true) {
      JsonNode page =
          ViewServer.get(
              server,
              "history?since=%d&limit=%d%s".formatted(since.getEpochSecond(), LIMIT, place));
      for (JsonNode item : page.path("items")) {
        HistoryJson.read(item).ifPresent(lines);
      }
      JsonNode next = page.path("next");
      if (!next.isObject()) {
        return;
      }
      place =
          "&segment=%d&offset=%d"
              .formatted(next.path("segment").asLong(), next.path("offset").asLong());
    }
  }
}
