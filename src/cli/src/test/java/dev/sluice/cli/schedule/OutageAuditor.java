package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows every revision of the Workloads of a manager and of the jobs on its workers, and notes
 * what must never be. Thread-safe.
 */
final class OutageAuditor {
  /** Outages, before the name of the worker. */
  static final String LINK = "link to ";

  static final String API_SERVER = "API server of ";

  private static final Pattern NUMBER = Pattern.compile("(?<=-)\\d+(?=-|$)");

  /** Where each job was let run, by kind and name: worker and uid. */
  private final Map<String, Set<String>> runs = new ConcurrentHashMap<>();

  /** The cluster of each Workload of the manager, by its uid. */
  private final Map<String, String> clusters = new ConcurrentHashMap<>();

  /** The latest version of each of them: a list may be ahead of a watch. */
  private final Map<String, Long> versions = new ConcurrentHashMap<>();

  /** What happened to each job, by its number, with the time. */
  private final Map<String, List<String>> trails = new ConcurrentHashMap<>();

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
    if (places.add(worker + " " + object.at("/metadata/uid").asText())) {
      note(object, "let run on " + worker);
      List<String> trail = trails.getOrDefault(number(object), List.of());
      if (places.size() > 1 && places.stream().noneMatch(it -> wasOutOfReach(it, trail))) {
        breaches.add(job + " ran more than once: " + places + ", " + trail);
      }
    }
  }

  /**
   * Whether the manager could not reach that place since the job was created. Then the job may run
   * there unseen, before the manager has recorded the place, and at another place, too.
   */
  private static boolean wasOutOfReach(String place, List<String> trail) {
    String worker = place.substring(0, place.indexOf(' '));
    return trail.stream()
        .anyMatch(it -> it.endsWith(LINK + worker) || it.endsWith(API_SERVER + worker));
  }

  private void note(JsonNode object, String what) {
    List<String> trail = trails.computeIfAbsent(number(object), _ -> new CopyOnWriteArrayList<>());
    if (trail.isEmpty() || !trail.getLast().endsWith(what)) {
      trail.add(LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS) + " " + what);
    }
  }

  /** An outage begins: it is part of what happened to each job. */
  void outage(String what) {
    trails.values().forEach(it -> it.add(LocalTime.now(ZoneOffset.UTC) + " " + what));
  }

  private static String number(JsonNode object) {
    Matcher number = NUMBER.matcher(object.at("/metadata/name").asText());
    return number.find() ? number.group() : "";
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
    note(
        workload,
        "%s %s: %s"
            .formatted(
                cluster,
                workload.at("/status/admissionChecks/0/state").asText(),
                workload.at("/status/admissionChecks/0/message").asText()));
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
