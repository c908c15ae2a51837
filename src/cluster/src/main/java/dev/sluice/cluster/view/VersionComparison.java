package dev.sluice.cluster.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.view.ObjectStore.Version;
import dev.sluice.json.tree.Keep;
import java.net.URLEncoder;
import java.util.Map;

/**
 * Compares a store with what the API server had at exactly one version. Asks for metadata only. For
 * one thread.
 */
final class VersionComparison {
  private static final Keep VERSIONS =
      Keep.only()
          .with("metadata", Keep.only("continue"))
          .with(
              "items",
              Keep.only()
                  .with("metadata", Keep.only("namespace", "name", "uid", "resourceVersion")));

  private final WatchedKind kind;
  private final Connection connection;
  private final WatchTimes times;
  private final WatchReader reader;

  VersionComparison(WatchedKind kind, Connection connection, WatchTimes times, WatchReader reader) {
    this.kind = kind;
    this.connection = connection;
    this.times = times;
    this.reader = reader;
  }

  /**
   * How many objects differ, are missing or are too many.
   *
   * @param held what the store has; is changed
   * @param onPage is called after each page
   * @throws ConnectionException also if the version is too old to be listed
   */
  int differing(
      String path, String resourceVersion, Map<ObjectKey, Version> held, Runnable onPage) {
    int differing = 0;
    String query =
        "&resourceVersionMatch=Exact&resourceVersion=" + URLEncoder.encode(resourceVersion, UTF_8);
    do {
      String url = path + "?limit=" + times.pageSize() + query + kind.querySuffix();
      JsonNode page =
          reader.page(connection.get(url, WatchedKind.METADATA_LIST, times.call()), VERSIONS);
      for (JsonNode item : page.path("items")) {
        Version ours = held.remove(ObjectKey.of(item));
        differing += Version.of(item).equals(ours) ? 0 : 1;
      }
      onPage.run();
      String next = page.path("metadata").path("continue").asText();
      query = next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8);
    } while (!query.isEmpty());
    return differing + held.size();
  }
}
