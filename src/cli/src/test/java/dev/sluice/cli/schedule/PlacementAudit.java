package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** What was not deleted when it was seen last. */
  @GuardedBy("this")
  private final Set<String> present = new HashSet<>();

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
    String key = path + "/" + placed.name();
    last.put(key, placed.version());
    if (gone) {
      present.remove(key);
    } else {
      present.add(key);
    }
  }

  /** Whether everything was seen that can be read now, and the end of all that cannot. */
  boolean isUpToDate() {
    Map<String, Long> stored = new HashMap<>();
    for (var kind : kinds.entrySet()) {
      for (JsonNode object : api.get(kind.getKey()).orThrow().json().path("items")) {
        Placed now = kind.getValue().apply(object, false);
        stored.put(kind.getKey() + "/" + now.name(), now.version());
      }
    }
    return hasSeen(stored);
  }

  private synchronized boolean hasSeen(Map<String, Long> stored) {
    for (var object : stored.entrySet()) {
      if (last.getOrDefault(object.getKey(), -1L) < object.getValue()) {
        return false;
      }
    }
    return stored.keySet().containsAll(present);
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
