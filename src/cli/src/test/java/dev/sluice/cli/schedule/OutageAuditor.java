package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Follows every revision of the Workloads of a manager and of the jobs on its workers, and notes
 * what must never be. Thread-safe.
 */
final class OutageAuditor {
  /** Where each job was let run, by kind and name: worker and uid. */
  private final Map<String, Set<String>> runs = new ConcurrentHashMap<>();

  /** The cluster of each Workload of the manager, by its uid. */
  private final Map<String, String> clusters = new ConcurrentHashMap<>();

  /** The latest version of each of them: a list may be ahead of a watch. */
  private final Map<String, Long> versions = new ConcurrentHashMap<>();

  private final Set<String> finished = ConcurrentHashMap.newKeySet();
  private final List<String> breaches = new CopyOnWriteArrayList<>();
  private final AtomicInteger revisions = new AtomicInteger();

  /** An object on a worker was stored like this. */
  void there(String worker, String collection, JsonNode object) {
    revisions.incrementAndGet();
    boolean isCopy =
        object
            .at("/metadata/labels")
            .path("kueue.x-k8s.io/multikueue-origin")
            .asText()
            .equals("multikueue");
    if (!isCopy || !isLetRun(collection, object)) {
      return;
    }
    String job = collection + " " + object.at("/metadata/name").asText();
    Set<String> places = runs.computeIfAbsent(job, _ -> ConcurrentHashMap.newKeySet());
    places.add(worker + " " + object.at("/metadata/uid").asText());
    if (places.size() > 1) {
      breaches.add(job + " ran more than once: " + places);
    }
  }

  private static boolean isLetRun(String collection, JsonNode object) {
    return collection.endsWith("/pods")
        ? object.at("/spec/schedulingGates").isEmpty()
        : !object.at("/spec/suspend").asBoolean();
  }

  /** A Workload of the manager was stored like this, or was like this when it went. */
  synchronized void here(JsonNode workload, boolean isGone) {
    String name = workload.at("/metadata/name").asText();
    String uid = workload.at("/metadata/uid").asText();
    long version = workload.at("/metadata/resourceVersion").asLong();
    if (isGone || version <= versions.getOrDefault(uid, 0L)) {
      return;
    }
    versions.put(uid, version);
    String cluster = workload.at("/status/clusterName").asText("");
    String before = clusters.getOrDefault(uid, "");
    if (!before.isEmpty() && !cluster.isEmpty() && !before.equals(cluster)) {
      breaches.add(name + " went from " + before + " to " + cluster + " at once");
    }
    clusters.put(uid, cluster);
    if (ApiClient.hasCondition(workload, "Finished")) {
      finished.add(uid);
    } else if (finished.contains(uid)) {
      breaches.add(name + " was finished, and is not any more");
    }
  }

  /** How many changes the workers have seen. */
  int revisions() {
    return revisions.get();
  }

  /** How many Workloads of the manager are finished, or were. */
  int finished() {
    return finished.size();
  }

  List<String> breaches() {
    return List.copyOf(breaches);
  }
}
