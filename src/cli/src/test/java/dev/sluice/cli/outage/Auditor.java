package dev.sluice.cli.outage;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.testkit.ApiClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Sees every revision of all objects of some kinds in some namespaces from now on. */
final class Auditor implements AutoCloseable {
  private static final String WORKLOADS = Kueue.everywhere(ApiKind.WORKLOAD);

  /** What an object, or what it was when it was deleted, is to the laws. */
  @FunctionalInterface
  interface Reading {
    Revision read(JsonNode object, boolean gone);
  }

  /** A revision and when it came, by a clock that counts nanoseconds from anywhere. */
  record Seen(Revision revision, long nanos) {}

  private final ApiClient api;
  private final Set<String> namespaces;
  private final Map<String, Reading> kinds;
  private final WatchedRevisions revisions;

  @GuardedBy("this")
  private final List<Seen> history = new ArrayList<>();

  /** The resourceVersions of all objects that were not deleted, by uid, as they were seen last. */
  @GuardedBy("this")
  private final Map<String, String> present = new HashMap<>();

  @GuardedBy("this")
  private final Set<String> jobs = new HashSet<>();

  @GuardedBy("this")
  private final Set<String> ended = new HashSet<>();

  /** Sees Workloads, Jobs and Pods. */
  Auditor(ApiClient api, Set<String> namespaces) {
    this(
        api,
        namespaces,
        Map.of("/apis/batch/v1/jobs", Revision::ofJob, "/api/v1/pods", Revision::ofPod));
  }

  /**
   * Sees Workloads, and what else is in these collections.
   *
   * @param others paths without a namespace, and how their objects are read
   */
  Auditor(ApiClient api, Set<String> namespaces, Map<String, Reading> others) {
    this.api = api;
    this.namespaces = namespaces;
    Map<String, Reading> all = new HashMap<>(others);
    all.put(WORKLOADS, Revision::ofWorkload);
    this.kinds = Map.copyOf(all);
    this.revisions = new WatchedRevisions(api, kinds.keySet(), this::see);
  }

  private synchronized void see(String path, JsonNode object, boolean gone) {
    if (!isAudited(object)) {
      return;
    }
    Revision revision = requireNonNull(kinds.get(path), path).read(object, gone);
    history.add(new Seen(revision, System.nanoTime()));
    if (gone) {
      present.remove(uid(object));
    } else {
      present.put(uid(object), version(object));
    }
    if (revision instanceof Revision.OfJob job) {
      jobs.add(job.name());
    }
    if (revision instanceof Revision.OfJob job && job.complete()) {
      ended.add(job.name());
    }
  }

  private boolean isAudited(JsonNode object) {
    return namespaces.contains(object.at("/metadata/namespace").asText());
  }

  private static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  private static String version(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }

  /** Whether what was seen last is what can be read now: a watch lags behind what is stored. */
  boolean isUpToDate() {
    Map<String, String> stored = new HashMap<>();
    for (String collection : kinds.keySet()) {
      for (JsonNode object : api.get(collection).orThrow().json().path("items")) {
        if (isAudited(object)) {
          stored.put(uid(object), version(object));
        }
      }
    }
    return hasSeen(stored);
  }

  private synchronized boolean hasSeen(Map<String, String> stored) {
    return present.equals(stored);
  }

  /** How many Jobs are complete. */
  synchronized int complete() {
    return ended.size();
  }

  /** The Jobs that were seen and are not complete. */
  synchronized Set<String> unfinished() {
    Set<String> left = new TreeSet<>(jobs);
    left.removeAll(ended);
    return left;
  }

  /** How many Jobs were seen. */
  synchronized int jobs() {
    return jobs.size();
  }

  /** Everything so far, in the order in which it was stored. */
  synchronized List<Seen> history() {
    List<Seen> sorted = new ArrayList<>(history);
    sorted.sort(Comparator.comparingLong(it -> it.revision().number()));
    return sorted;
  }

  /** Everything about the jobs that a text names, and their Workloads and Pods; for people. */
  String about(String text) {
    Set<String> named = new HashSet<>();
    StringBuilder story = new StringBuilder();
    for (Seen seen : history()) {
      if (seen.revision() instanceof Revision.OfJob job && text.contains(job.name() + " ")) {
        named.add(job.uid());
      }
      if (seen.revision() instanceof Revision.OfKind job && text.contains(job.name() + " ")) {
        named.add(job.uid());
      }
      boolean isNamed =
          switch (seen.revision()) {
            case Revision.OfJob job -> named.contains(job.uid());
            case Revision.OfKind job -> named.contains(job.uid());
            case Revision.OfWorkload workload -> named.contains(workload.job());
            case Revision.OfPod pod -> named.contains(pod.job());
          };
      if (isNamed) {
        story.append(seen.nanos() / 1_000_000).append(" ").append(seen.revision()).append('\n');
      }
    }
    return story.toString();
  }

  /** What the history comes to. */
  Laws.Verdict judge(List<QueueNode> trees) {
    return Laws.judge(history().stream().map(Seen::revision).toList(), trees);
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
