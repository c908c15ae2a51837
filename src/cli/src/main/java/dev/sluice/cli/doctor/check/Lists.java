package dev.sluice.cli.doctor.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists of objects, page by page. */
public final class Lists {
  private static final int PAGE = 500;

  /** More pages than a cluster can have objects for. */
  private static final int MOST_PAGES = 10_000;

  private Lists() {}

  /**
   * All objects of a collection; empty if the API server does not give them.
   *
   * @param labels a label selector; empty for all
   */
  public static Optional<List<JsonNode>> all(Cluster cluster, String path, String labels) {
    List<JsonNode> all = new ArrayList<>();
    String next = "";
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      Answer answer =
          cluster.fetch(
              path
                  + "?limit="
                  + PAGE
                  + (labels.isEmpty() ? "" : "&labelSelector=" + URLEncoder.encode(labels, UTF_8))
                  + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8)));
      if (!answer.isSuccess()) {
        return Optional.empty();
      }
      answer.json().path("items").forEach(all::add);
      next = answer.json().at("/metadata/continue").asText("");
      if (next.isEmpty()) {
        return Optional.of(all);
      }
    }
    return Optional.empty();
  }
}
