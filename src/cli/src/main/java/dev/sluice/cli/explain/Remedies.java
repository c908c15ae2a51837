package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.explain.Explanation.Remedy;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Single changes that would let a workload in, each of them tried on the engine. Bounded: so many
 * holders and priorities are tried, no more.
 */
final class Remedies {
  private static final int MOST_HOLDERS = 16;
  private static final int MOST_NAMED = 3;
  private static final int MOST_PRIORITIES = 8;

  private final Trials trials;
  private final Snapshot snapshot;
  private final String clusterQueue;
  private final List<Remedy> found = new ArrayList<>();

  Remedies(Trials trials, Snapshot snapshot, String clusterQueue) {
    this.trials = trials;
    this.snapshot = snapshot;
    this.clusterQueue = clusterQueue;
  }

  /** What helps, the smallest first; nothing if it only has to wait for its turn. */
  List<Remedy> find(Optional<Outcome> turn) {
    if (turn.filter(Trials::helps).isPresent()) {
      return List.of();
    }
    openWhatIsClosed();
    if (turn.isPresent()) {
      Map<String, Map<String, Long>> missing = missing(turn.get());
      fewerPods();
      holdersEnding(missing);
      moreQuota(missing);
      higherPriority();
    }
    return found;
  }

  /** How much more of each resource each flavor would need. */
  private static Map<String, Map<String, Long>> missing(Outcome turn) {
    Map<String, Map<String, Long>> missing = new LinkedHashMap<>();
    for (AssignedPodSet podSet :
        Trials.assignment(turn).map(Assignment::podSets).orElse(List.of())) {
      for (Refusal refusal : podSet.refusals()) {
        switch (refusal) {
          case Refusal.Lacking it ->
              note(it.flavor(), it.resource(), it.requested() - it.available(), missing);
          case Refusal.TooLarge it ->
              note(it.flavor(), it.resource(), it.requested() - it.potential(), missing);
          case Refusal.Uncovered _, Refusal.Unsuitable _, Refusal.NoRoom _ -> {} // no quota helps
        }
      }
    }
    return missing;
  }

  private static void note(
      String flavor, String resource, long amount, Map<String, Map<String, Long>> missing) {
    missing.computeIfAbsent(flavor, _ -> new LinkedHashMap<>()).merge(resource, amount, Math::max);
  }

  private void openWhatIsClosed() {
    JsonNode workload = trials.subject();
    if (!workload.at("/spec/active").asBoolean(true)) {
      trying("set spec.active of the Workload to true", activated(workload));
    }
    String localQueue = workload.at("/spec/queueName").asText();
    trials
        .object("LocalQueue", trials.key().namespace(), localQueue)
        .filter(Remedies::isStopped)
        .ifPresent(
            it ->
                trying("set spec.stopPolicy of LocalQueue " + localQueue + " to None", opened(it)));
    trials
        .object("ClusterQueue", "", clusterQueue)
        .filter(Remedies::isStopped)
        .ifPresent(
            it ->
                trying(
                    "set spec.stopPolicy of ClusterQueue " + clusterQueue + " to None",
                    opened(it)));
  }

  private static boolean isStopped(JsonNode queue) {
    return !queue.at("/spec/stopPolicy").asText("None").equals("None");
  }

  private static ObjectNode opened(JsonNode queue) {
    ObjectNode edit = named(queue);
    edit.withObjectProperty("spec").put("stopPolicy", "None");
    return edit;
  }

  private static ObjectNode activated(JsonNode workload) {
    ObjectNode edit = named(workload);
    edit.withObjectProperty("spec").put("active", true);
    return edit;
  }

  /** The largest number of pods that would fit, found by halving. */
  private void fewerPods() {
    JsonNode podSets = trials.subject().at("/spec/podSets");
    int count = podSets.path(0).path("count").asInt();
    if (podSets.size() != 1 || count < 2) {
      return;
    }
    int fits = 0;
    int tooMany = count;
    while (tooMany - fits > 1) {
      int half = fits + (tooMany - fits) / 2;
      if (trials.turn(List.of(withPods(half)), Set.of()).filter(Trials::helps).isPresent()) {
        fits = half;
      } else {
        tooMany = half;
      }
    }
    if (fits > 0) {
      trying("run with %d pods in place of %d".formatted(fits, count), withPods(fits));
    }
  }

  private ObjectNode withPods(int count) {
    ObjectNode edit = named(trials.subject());
    ObjectNode spec = edit.withObjectProperty("spec");
    ObjectNode podSet = trials.subject().at("/spec/podSets/0").deepCopy();
    podSet.put("count", count).remove("minCount");
    spec.putArray("podSets").add(podSet);
    return edit;
  }

  /** Those whose end alone is enough; of them the ones that hold least. */
  private void holdersEnding(Map<String, Map<String, Long>> missing) {
    Set<WorkloadState> holders = new TreeSet<>(Comparator.comparing(WorkloadState::key));
    missing.forEach(
        (flavor, resources) ->
            resources
                .keySet()
                .forEach(
                    resource ->
                        holders.addAll(
                            snapshot.holdersOf(
                                new FlavorResource(flavor, resource), clusterQueue))));
    List<WorkloadState> smallest =
        holders.stream()
            .sorted(Comparator.comparingLong(Remedies::size).thenComparing(WorkloadState::key))
            .toList();
    int before = found.size();
    int tried = 0;
    for (WorkloadState holder : smallest) {
      if (found.size() - before == MOST_NAMED || tried++ == MOST_HOLDERS) {
        return;
      }
      trials
          .turn(List.of(), Set.of(holder.key()))
          .filter(Trials::helps)
          .ifPresent(it -> found.add(new Remedy("Workload " + holder.key() + " ends", effect(it))));
    }
  }

  private static long size(WorkloadState holder) {
    long[] sum = new long[1];
    holder.usage().forEach((_, amount) -> sum[0] += amount);
    return sum[0];
  }

  private void moreQuota(Map<String, Map<String, Long>> missing) {
    Optional<JsonNode> queue = trials.object("ClusterQueue", "", clusterQueue);
    if (queue.isEmpty()) {
      return;
    }
    missing.forEach(
        (flavor, resources) -> {
          for (String field : List.of("nominalQuota", "borrowingLimit")) {
            ObjectNode edit = named(queue.get());
            List<String> changes = raise(queue.get(), edit, flavor, resources, field);
            if (!changes.isEmpty()) {
              trying(
                  "in ClusterQueue %s raise the %s of flavor %s: %s"
                      .formatted(clusterQueue, field, flavor, String.join(", ", changes)),
                  edit);
            }
          }
        });
  }

  /** Writes the resource groups with more of that field into the edit; says what was changed. */
  private static List<String> raise(
      JsonNode queue, ObjectNode edit, String flavor, Map<String, Long> resources, String field) {
    JsonNode groups = queue.at("/spec/resourceGroups").deepCopy();
    List<String> changes = new ArrayList<>();
    for (JsonNode group : groups) {
      for (JsonNode quotas : group.path("flavors")) {
        if (quotas.path("name").asText().equals(flavor)) {
          quotas.path("resources").forEach(it -> raise((ObjectNode) it, resources, field, changes));
        }
      }
    }
    edit.withObjectProperty("spec").set("resourceGroups", groups);
    return changes;
  }

  private static void raise(
      ObjectNode quota, Map<String, Long> resources, String field, List<String> changes) {
    String resource = quota.path("name").asText();
    Long more = resources.get(resource);
    if (more == null || !quota.hasNonNull(field)) {
      return;
    }
    String before = quota.path(field).asText();
    Optional<Quantity> quantity = Quantity.parse(before);
    if (quantity.isPresent()) {
      long raised = Amounts.plus(Amount.quota(resource, quantity.get()), more);
      String after = Amount.toQuantity(resource, raised).toString();
      quota.put(field, after);
      changes.add("%s from %s to %s".formatted(resource, before, after));
    }
  }

  /** The lowest priority, of those above a holder's, at which it could preempt others. */
  private void higherPriority() {
    long own = trials.subject().at("/spec/priority").asLong();
    List<Long> above =
        trials.holders().stream()
            .map(key -> priority(key) + 1)
            .filter(it -> it > own && it <= Integer.MAX_VALUE)
            .distinct()
            .sorted()
            .toList();
    for (int i = 0; i < Math.min(above.size(), MOST_PRIORITIES); i++) {
      ObjectNode edit = named(trials.subject());
      edit.withObjectProperty("spec").put("priority", above.get(i));
      if (trying("give it the priority %d (it has %d)".formatted(above.get(i), own), edit)) {
        return;
      }
    }
  }

  private long priority(ObjectKey key) {
    var workload = snapshot.workload(key);
    Integer priority = workload == null ? null : workload.spec().priority();
    return priority == null ? 0 : priority;
  }

  private boolean trying(String change, ObjectNode edit) {
    Optional<Outcome> outcome = trials.turn(List.of(edit), Set.of()).filter(Trials::helps);
    outcome.ifPresent(it -> found.add(new Remedy(change, effect(it))));
    return outcome.isPresent();
  }

  private static String effect(Outcome outcome) {
    return outcome.decision() instanceof Decision.Preempting preempting
        ? "it is let in when these have given way: "
            + preempting.targets().stream()
                .map(Target::workload)
                .map(ObjectKey::toString)
                .collect(Collectors.joining(", "))
        : "it has quota when its turn comes";
  }

  private static ObjectNode named(JsonNode object) {
    ObjectNode edit = JsonNodeFactory.instance.objectNode();
    edit.set("apiVersion", object.get("apiVersion"));
    edit.set("kind", object.get("kind"));
    ObjectNode metadata = edit.putObject("metadata");
    metadata.set("name", object.at("/metadata/name"));
    if (object.at("/metadata").hasNonNull("namespace")) {
      metadata.set("namespace", object.at("/metadata/namespace"));
    }
    return edit;
  }
}
