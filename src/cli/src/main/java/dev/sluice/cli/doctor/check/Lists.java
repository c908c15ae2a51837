package dev.sluice.cli.doctor.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Pages;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists of objects, page by page. */
public final class Lists {
  private Lists() {}

  /**
   * All objects of a collection; empty if the API server does not give them.
   *
   * @param labels a label selector; empty for all
   */
  public static Optional<List<JsonNode>> all(Cluster cluster, String path, String labels) {
    List<JsonNode> all = new ArrayList<>();
    String query = labels.isEmpty() ? "" : "&labelSelector=" + URLEncoder.encode(labels, UTF_8);
    return Pages.each(cluster::fetch, path, query, Pages.SIZE, all::add).isPresent()
        ? Optional.empty()
        : Optional.of(all);
  }
}
