package dev.sluice.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.server.history.HistoryJson;
import dev.sluice.server.program.CommandException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The history that a server of view.sluice.dev keeps. */
final class ServedHistory {
  private static final int LIMIT = 5_000;

  /** Each replica has its own history, and a request may come to another one. */
  private static final int TRIES = 8;

  private static final String OTHER_REPLICA = "another replica";

  private ServedHistory() {}

  /**
   * All lines that are not older, and what is held now; of one replica.
   *
   * @throws CommandException if there is no history, or this user may not read it
   */
  static List<HistoryLine> read(ApiServer server, Instant since) {
    for (int attempt = 1; ; attempt++) {
      try {
        return pages(server, since);
      } catch (CommandException e) {
        if (attempt == TRIES || !String.valueOf(e.getMessage()).contains(OTHER_REPLICA)) {
          throw e;
        }
      }
    }
  }

  private static List<HistoryLine> pages(ApiServer server, Instant since) {
    List<HistoryLine> lines = new ArrayList<>();
    String place = "";
    while (true) {
      JsonNode page =
          ViewServer.get(
              server,
              "history?since=%d&limit=%d%s".formatted(since.getEpochSecond(), LIMIT, place));
      for (JsonNode item : page.path("items")) {
        HistoryJson.read(item).ifPresent(lines::add);
      }
      JsonNode next = page.path("next");
      if (!next.isObject()) {
        return lines;
      }
      place =
          "&segment=%d&offset=%d&instance=%d"
              .formatted(
                  next.path("segment").asLong(),
                  next.path("offset").asLong(),
                  next.path("instance").asLong());
    }
  }
}
