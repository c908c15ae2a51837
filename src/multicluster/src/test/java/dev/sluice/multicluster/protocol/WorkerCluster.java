package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A worker cluster, and what the manager knows of it. */
final class WorkerCluster {
  static final GroupVersionKind JOB = Scene.JOB;
  static final GroupKind JOBS = JOB.groupKind();
  static final GroupKind WORKLOADS = WorkloadView.KIND;
  static final ObjectKey JOB_KEY = new ObjectKey("ns", "j");
  static final ObjectKey WORKLOAD_KEY = new ObjectKey("ns", "job-j");

  record Name(GroupKind kind, ObjectKey key) {}

  record Change(Name name, Optional<JsonNode> after, long number) {}

  final String name;
  final InMemoryObjects objects;
  final Deque<Change> unseen = new ArrayDeque<>();
  final Map<Name, Change> seen = new HashMap<>();
  final Map<Name, Presence> answers = new HashMap<>();
  final Set<String> foreign = new HashSet<>();
  long changes;
  boolean isUp = true;
  boolean isListed = true;
  boolean isTried = true;
  boolean isConfigured = true;
  boolean isExcused;
  Instant lostSince = Instant.EPOCH;

  WorkerCluster(String name) {
    this.name = name;
    this.objects = new InMemoryObjects(this::changed);
  }

  private void changed(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after) {
    JsonNode object = after.or(() -> before).orElseThrow();
    Name about = new Name(kind, ObjectKey.of(object));
    changes++;
    boolean isOfOrigin =
        object.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").isTextual();
    if (isOfOrigin && isUp) {
      unseen.add(new Change(about, after, changes));
    }
  }

  Optional<JsonNode> job() {
    return objects.find(JOBS, "ns", "j");
  }

  Optional<JsonNode> copy() {
    return objects.find(WORKLOADS, "ns", "job-j");
  }

  boolean isRunning() {
    return job().filter(it -> it.at("/status/active").asInt() > 0).isPresent();
  }

  void see(Change change) {
    Change before = seen.get(change.name());
    if (before == null || before.number() < change.number()) {
      seen.put(change.name(), change);
      answers.remove(change.name());
    }
  }

  void list() {
    unseen.clear();
    answers.clear();
    Set<Name> there = new HashSet<>();
    for (GroupKind kind : List.of(WORKLOADS, JOBS)) {
      for (JsonNode object : objects.all(kind)) {
        if (object.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").isTextual()) {
          Name about = new Name(kind, ObjectKey.of(object));
          there.add(about);
          seen.put(about, new Change(about, Optional.of(object), changes));
        }
      }
    }
    seen.keySet().removeIf(it -> !there.contains(it));
    isListed = true;
  }

  void ask(Name about) {
    Optional<JsonNode> object = objects.find(about.kind(), "ns", about.key().name());
    answers.put(about, object.<Presence>map(Presence.Present::new).orElse(Presence.absent()));
  }

  Presence presence(GroupKind kind, ObjectKey key) {
    Name about = new Name(kind, key);
    Optional<JsonNode> listed = Optional.ofNullable(seen.get(about)).flatMap(Change::after);
    return listed
        .<Presence>map(Presence.Present::new)
        .orElse(answers.getOrDefault(about, Presence.unlisted()));
  }

  Link link() {
    if (isUp) {
      return new Link.Connected(isListed);
    }
    return isTried ? new Link.Lost(lostSince, "cut", Optional.empty()) : new Link.Connecting();
  }

  WorkerState state() {
    return new WorkerState(
        name,
        isConfigured,
        link(),
        Set.of(),
        false,
        presence(WORKLOADS, WORKLOAD_KEY),
        Map.of("j", presence(JOBS, JOB_KEY)),
        new QueueState.Unknown(),
        Optional.empty());
  }

  /** Every Job and Workload there. */
  List<JsonNode> all() {
    return Stream.of(JOBS, WORKLOADS).flatMap(it -> objects.all(it).stream()).toList();
  }

  /** Its Job, unless it belongs to another owner. */
  Optional<JsonNode> ownJob() {
    return job().filter(it -> !foreign.contains(print(it)));
  }

  /** Its copy of the Workload, unless it belongs to another owner. */
  Optional<JsonNode> ownCopy() {
    return copy().filter(it -> !foreign.contains(print(it)));
  }

  void addForeign(GroupVersionKind kind, ObjectNode object, Instant now) {
    foreign.add(print(objects.put(kind, object, now)));
  }

  /** Fails if an object of another owner was changed or deleted. */
  void requireForeignUntouched() {
    for (JsonNode object : all()) {
      String print = print(object);
      if (isOfForeignName(print) && !foreign.contains(print)) {
        throw new BrokenLaw("another owner's object changed on " + name);
      }
    }
    if (all().size() < foreign.size()) {
      throw new BrokenLaw("another owner's object was deleted on " + name);
    }
  }

  /** Fails if there is an object that is not another owner's. */
  void requireEmpty() {
    if (all().size() != foreign.size()) {
      throw new BrokenLaw("an object of the manager is left on " + name + ": " + copy() + job());
    }
  }

  private static String print(JsonNode object) {
    return object.at("/metadata/name").asText()
        + " "
        + object.at("/metadata/uid").asText()
        + " "
        + object.at("/metadata/resourceVersion").asText();
  }

  private boolean isOfForeignName(String print) {
    String start = print.substring(0, print.lastIndexOf(' '));
    return foreign.stream().anyMatch(it -> it.startsWith(start + " "));
  }
}
