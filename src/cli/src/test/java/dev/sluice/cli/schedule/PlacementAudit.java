package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.testkit.ApiClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Sees every revision of every Workload and Pod of a namespace from now on. */
final class PlacementAudit implements AutoCloseable {
  private final ApiClient api;
  private final Map<String, BiFunction<JsonNode, Boolean, Placed>> kinds;
  private final WatchedRevisions revisions;

  @GuardedBy("this")
  private final List<Placed> history = new ArrayList<>();

  @GuardedBy("this")
  private final Map<String, Long> last = new HashMap<>();

  PlacementAudit(ApiClient api, String namespace) {
    this.api = api;
    this.kinds =
        Map.of(
            "/apis/kueue.x-k8s.io/v1beta2/namespaces/" + namespace + "/workloads",
            Placed::workload,
            "/api/v1/namespaces/" + namespace + "/pods",
            Placed::pod);
    this.revisions = new WatchedRevisions(api, kinds.keySet(), this::see);
  }

  private synchronized void see(String path, JsonNode object, boolean gone) {
    Placed placed = kinds.getOrDefault(path, Placed::pod).apply(object, gone);
    history.add(placed);
    last.put(path + "/" + placed.name(), placed.version());
  }

  /** Whether everything was seen that can be read now. */
  boolean isUpToDate() {
    return kinds.entrySet().stream()
        .allMatch(
            kind ->
                api.get(kind.getKey())
                    .orThrow()
                    .json()
                    .path("items")
                    .valueStream()
                    .allMatch(it -> hasSeen(kind.getKey(), kind.getValue().apply(it, false))));
  }

  private synchronized boolean hasSeen(String path, Placed now) {
    return last.getOrDefault(path + "/" + now.name(), -1L) >= now.version();
  }

  /** Everything so far, in the order in which it was stored. */
  synchronized List<Placed> history() {
    List<Placed> sorted = new ArrayList<>(history);
    sorted.sort(Comparator.comparingLong(Placed::version));
    return sorted;
  }

  /** What could not be seen. */
  List<String> missed() {
    return revisions.missed();
  }

  @Override
  public void close() {
    revisions.close();
  }
}
