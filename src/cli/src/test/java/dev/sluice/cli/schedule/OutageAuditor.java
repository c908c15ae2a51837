package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Follows every revision of the Workloads of a manager and of the jobs on its workers, and notes
 * what must never be. Thread-safe.
 *
 * <p>Watches of several clusters come in any order. So before two places are said to run one job,
 * the earlier one is asked whether it still does.
 */
final class OutageAuditor {
  /** A manager needs some time to connect again: so long a worker still counts as away. */
  static final Duration GRACE = Duration.ofSeconds(15);

  private static final Pattern NUMBER = Pattern.compile("(?<=-)\\d+(?=-|$)");

  /** Asks a worker. */
  @FunctionalInterface
  interface Question {
    /** Whether that job is let run there at this moment and has not ended; no without an answer. */
    boolean runs(Place place);
  }

  /** A job, or a Pod of it, on a worker. */
  record Place(String worker, String collection, String name, String uid) {
    @Override
    public String toString() {
      return "%s %s (%s)".formatted(worker, name, uid);
    }
  }

  private enum State {
    RUNS,
    ENDED,
    STOPPED
  }

  private record Start(Place place, Instant at) {}

  private record Note(Instant at, String what) {}

  /** When a worker was out of reach. */
  private static final class Absence {
    Instant until = Instant.MAX;
  }

  private final Question question;
  private final InstantSource clock;
  private final Map<Place, State> places = new HashMap<>();
  private final Map<String, List<Start>> starts = new HashMap<>();

  /** The cluster of each job as its Workload says, by its number. */
  private final Map<String, String> clusters = new HashMap<>();

  private final Set<String> reserved = new HashSet<>();

  /** The latest version of each object by cluster and uid: a list may be ahead of a watch. */
  private final Map<String, Long> versions = new HashMap<>();

  private final Map<String, List<Absence>> absences = new HashMap<>();
  private final Map<String, Integer> away = new HashMap<>();
  private final Map<String, List<Note>> trails = new LinkedHashMap<>();
  private final List<Note> outages = new ArrayList<>();

  /** The uids of the Workloads that were finished, by the number of the job. */
  private final Map<String, Set<String>> finished = new HashMap<>();

  private final List<String> breaches = new ArrayList<>();
  private int twice;
  private int revisions;

  OutageAuditor(Question question, InstantSource clock) {
    this.question = question;
    this.clock = clock;
  }

  /** An object on a worker was stored like this, or was like this when it went. */
  synchronized void there(String worker, String collection, JsonNode object, boolean isGone) {
    revisions++;
    String origin = object.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").asText();
    String uid = object.at("/metadata/uid").asText();
    if (!origin.equals("multikueue") || !isLater(worker + " " + uid, object)) {
      return;
    }
    Place place = new Place(worker, collection, object.at("/metadata/name").asText(), uid);
    State before = places.get(place);
    State last = before == State.ENDED ? State.ENDED : State.STOPPED;
    State now = isGone ? last : state(collection, object);
    if (before == null && now == State.STOPPED) {
      return; // it was never let run
    }
    places.put(place, now);
    if (before != now) {
      note(number(object), "%s on %s".formatted(now, worker));
    }
    if (before == null) {
      started(number(object), place);
    } else if (before != State.RUNS && now == State.RUNS) {
      breach(number(object), place + " was let run again");
    }
  }

  /** The uids of what runs there, as far as is known. */
  synchronized Set<String> running(String worker, String collection) {
    return places.entrySet().stream()
        .filter(it -> it.getValue() == State.RUNS)
        .map(Map.Entry::getKey)
        .filter(it -> it.worker().equals(worker) && it.collection().equals(collection))
        .map(Place::uid)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Notes that these objects are no longer on the worker. */
  synchronized void gone(String worker, Set<String> uids) {
    places.replaceAll(
        (place, state) ->
            state == State.RUNS && place.worker().equals(worker) && uids.contains(place.uid())
                ? State.STOPPED
                : state);
  }

  private boolean isLater(String object, JsonNode revision) {
    long version = revision.at("/metadata/resourceVersion").asLong();
    if (version <= versions.getOrDefault(object, 0L)) {
      return false;
    }
    versions.put(object, version);
    return true;
  }

  private void started(String number, Place place) {
    Instant now = clock.instant();
    List<Start> all = starts.computeIfAbsent(number, _ -> new ArrayList<>());
    for (Start earlier : all) {
      Place other = earlier.place();
      if (isOfTheSameGroup(other, place) || hadBegun(all, place, earlier)) {
        continue; // another Pod of the group, or of one that began there before
      }
      String cluster = clusters.getOrDefault(number, "");
      boolean wasRecorded = other.worker().equals(cluster);
      boolean isOverlap = runs(other);
      boolean isSecond = isOverlap || places.get(other) == State.ENDED;
      if (wasAway(other.worker(), earlier.at()) && !(isSecond && wasRecorded)) {
        twice++;
      } else {
        breach(
            number,
            "%s was let run, though %s %s, recorded: \"%s\""
                .formatted(place, other, isOverlap ? "still runs" : "was let run", cluster));
      }
    }
    all.add(new Start(place, now));
  }

  private static boolean isOfTheSameGroup(Place one, Place other) {
    return one.worker().equals(other.worker()) && !one.name().equals(other.name());
  }

  /** Whether another Pod of the group was let run on that worker before something elsewhere. */
  private static boolean hadBegun(List<Start> all, Place place, Start elsewhere) {
    return all.subList(0, all.indexOf(elsewhere)).stream()
        .anyMatch(it -> isOfTheSameGroup(it.place(), place));
  }

  private boolean runs(Place place) {
    return places.get(place) == State.RUNS && question.runs(place);
  }

  /** Whether the manager could not reach a worker at some time since then. */
  private boolean wasAway(String worker, Instant since) {
    return absences.getOrDefault(worker, List.of()).stream()
        .anyMatch(it -> it.until.equals(Instant.MAX) || it.until.plus(GRACE).isAfter(since));
  }

  /** A worker cannot be reached from now on; once more as often as this is said. */
  synchronized void away(String worker) {
    if (away.merge(worker, 1, Integer::sum) == 1) {
      absences.computeIfAbsent(worker, _ -> new ArrayList<>()).add(new Absence());
    }
  }

  /** One cause less why a worker cannot be reached. */
  synchronized void back(String worker) {
    if (away.merge(worker, -1, Integer::sum) == 0) {
      absences.getOrDefault(worker, List.of()).getLast().until = clock.instant();
    }
  }

  /** An outage begins or ends: it is part of what happened to each job. */
  synchronized void outage(String what) {
    outages.add(new Note(clock.instant(), what));
  }

  private void note(String number, String what) {
    List<Note> trail = trails.computeIfAbsent(number, _ -> new ArrayList<>());
    if (trail.isEmpty() || !trail.getLast().what().equals(what)) {
      trail.add(new Note(clock.instant(), what));
    }
  }

  private void breach(String number, String what) {
    breaches.add(what + ": " + trail(number));
  }

  /** What happened to a job, with the outages since its first revision. */
  synchronized List<String> trail(String number) {
    List<Note> own = trails.getOrDefault(number, List.of());
    List<Note> all = new ArrayList<>(own);
    outages.stream()
        .filter(it -> !own.isEmpty() && it.at().isAfter(own.getFirst().at()))
        .forEach(all::add);
    return all.stream()
        .sorted(Comparator.comparing(Note::at))
        .map(it -> it.at() + " " + it.what())
        .toList();
  }

  private static String number(JsonNode object) {
    Matcher number = NUMBER.matcher(object.at("/metadata/name").asText());
    return number.find() ? number.group() : "";
  }

  private static State state(String collection, JsonNode object) {
    if (OutageObjects.hasEnded(collection, object)) {
      return State.ENDED;
    }
    return OutageObjects.isLetRun(collection, object) ? State.RUNS : State.STOPPED;
  }

  /** A Workload of the manager was stored like this, or was like this when it went. */
  synchronized void here(JsonNode workload, boolean isGone) {
    String uid = workload.at("/metadata/uid").asText();
    if (isGone || !isLater(uid, workload)) {
      return;
    }
    String number = number(workload);
    String cluster = workload.at("/status/clusterName").asText("");
    JsonNode check = workload.at("/status/admissionChecks/0");
    note(
        number,
        "%s %s: %s"
            .formatted(cluster, check.path("state").asText(), check.path("message").asText()));
    String before = clusters.getOrDefault(number, "");
    if (!before.isEmpty() && !cluster.isEmpty() && !before.equals(cluster)) {
      breach(number, "it went from %s to %s at once".formatted(before, cluster));
    }
    clusters.put(number, cluster);
    quota(uid, number, before, workload);
    Set<String> ends = finished.computeIfAbsent(number, _ -> new HashSet<>());
    if (ApiClient.hasCondition(workload, "Finished")) {
      if (ends.add(uid) && ends.size() > 1) {
        breach(number, "it was finished more than once");
      }
    } else if (ends.contains(uid)) {
      breach(number, "it was finished, and is not any more");
    }
  }

  /** Quota is not given back, and nothing is finished, while the job runs on within reach. */
  private void quota(String uid, String number, String cluster, JsonNode workload) {
    boolean isFinished = ApiClient.hasCondition(workload, "Finished");
    if (!isFinished && ApiClient.hasCondition(workload, "QuotaReserved")) {
      reserved.add(uid);
    } else if (reserved.remove(uid)) {
      for (Start start : starts.getOrDefault(number, List.of())) {
        String worker = start.place().worker();
        if (worker.equals(cluster) && !wasAway(worker, clock.instant()) && runs(start.place())) {
          breach(number, "its quota is free, and it runs on " + worker);
        }
      }
    }
  }

  /** How many changes the workers have seen. */
  synchronized int revisions() {
    return revisions;
  }

  /** How many jobs of the manager are finished, or were. */
  synchronized int finished() {
    return (int) finished.values().stream().filter(it -> !it.isEmpty()).count();
  }

  /** How many were let run a second time because the first place was out of reach. */
  synchronized int twice() {
    return twice;
  }

  /** What is known of the jobs that are not finished. */
  synchronized List<String> unfinished() {
    return finished.entrySet().stream()
        .filter(it -> it.getValue().isEmpty())
        .map(it -> it.getKey() + ": " + trail(it.getKey()))
        .toList();
  }

  synchronized List<String> breaches() {
    return List.copyOf(breaches);
  }
}
