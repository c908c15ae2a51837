package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.cli.world.SimulatedCluster;
import dev.sluice.cli.world.SimulatedConfiguration;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Asks the engine what it would decide about one workload; each time in a world of its own. */
final class Trials {
  /** A search for flavors may be spread over cycles; a queue has at most 16 groups of flavors. */
  private static final int MOST_CYCLES = 32;

  private final SimulatedConfiguration configuration;
  private final List<JsonNode> objects;
  private final List<JsonNode> workloads;
  private final ObjectKey key;
  private final Instant now;

  /**
   * A world to try things in.
   *
   * @param objects all but workloads
   * @param key the workload it is about
   */
  Trials(
      SimulatedConfiguration configuration,
      List<JsonNode> objects,
      List<JsonNode> workloads,
      ObjectKey key,
      Instant now) {
    this.configuration = configuration;
    this.objects = List.copyOf(objects);
    this.workloads = List.copyOf(workloads);
    this.key = key;
    this.now = now;
  }

  /** The world as it is. */
  SimulatedCluster world() {
    return world(_ -> true);
  }

  private SimulatedCluster world(Predicate<JsonNode> there) {
    var cluster = new SimulatedCluster(configuration, now);
    objects.forEach(cluster::apply);
    workloads.stream().filter(there).forEach(cluster::apply);
    return cluster;
  }

  /** What is decided about it when its turn comes, as things are. */
  Optional<Outcome> turn() {
    return turn(List.of(), Set.of());
  }

  /**
   * The decision about the workload if it was the next head, without the other pending workloads.
   *
   * @param edits objects to merge into the existing ones
   * @param ended workloads to remove
   * @return empty if it is in no queue
   */
  Optional<Outcome> turn(List<JsonNode> edits, Set<ObjectKey> ended) {
    SimulatedCluster cluster =
        world(it -> key(it).equals(key) || (QuotaHold.isHeldBy(it) && !ended.contains(key(it))));
    edits.forEach(cluster::apply);
    Optional<Outcome> last = Optional.empty();
    for (int i = 0; i < MOST_CYCLES; i++) {
      Optional<Outcome> outcome =
          cluster.cycle().outcomes().stream()
              .filter(it -> it.workload().equals(key))
              .reduce((_, later) -> later);
      if (outcome.isEmpty()) {
        return last;
      }
      last = outcome;
      if (outcome.get().place() != Outcome.Place.PENDING || helps(outcome.get())) {
        return last;
      }
    }
    return last;
  }

  /** Whether it would be admitted, at once or after its preemption targets have ended. */
  static boolean helps(Outcome outcome) {
    return outcome.decision() instanceof Decision.Reserved
        || outcome.decision() instanceof Decision.Preempting;
  }

  /** What was found for its PodSets; empty where nothing was looked for. */
  static Optional<Assignment> assignment(Outcome outcome) {
    return switch (outcome.decision()) {
      case Decision.Reserved it -> Optional.of(it.assignment());
      case Decision.Preempting it -> Optional.of(it.assignment());
      case Decision.Deferred it -> Optional.of(it.assignment());
      case Decision.Waiting it -> Optional.of(it.assignment());
      case Decision.Looping it -> Optional.of(it.assignment());
      case Decision.Gated it -> Optional.of(it.assignment());
      case Decision.Skipped it -> Optional.of(it.assignment());
      case Decision.Migrating it -> Optional.of(it.assignment());
      case Decision.KeptBack it -> Optional.of(it.assignment());
      case Decision.Blocked it -> Optional.of(it.assignment());
      case Decision.Displaced it -> Optional.of(it.assignment());
      case Decision.Refused _ -> Optional.empty();
    };
  }

  /** All objects of that kind. */
  List<JsonNode> objects(String kind) {
    return objects.stream().filter(it -> it.path("kind").asText().equals(kind)).toList();
  }

  /** The object of that kind and name. */
  Optional<JsonNode> object(String kind, String namespace, String name) {
    return objects(kind).stream()
        .filter(it -> key(it).equals(new ObjectKey(namespace, name)))
        .findFirst();
  }

  /** The workload it is about. */
  JsonNode subject() {
    return workloads.stream().filter(it -> key(it).equals(key)).findFirst().orElseThrow();
  }

  ObjectKey key() {
    return key;
  }

  /** The workloads that hold quota, but for the one it is about. */
  List<ObjectKey> holders() {
    List<ObjectKey> keys = new ArrayList<>();
    for (JsonNode workload : workloads) {
      if (QuotaHold.isHeldBy(workload) && !key(workload).equals(key)) {
        keys.add(key(workload));
      }
    }
    return keys;
  }

  static ObjectKey key(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
  }
}
