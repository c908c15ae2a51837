package dev.sluice.see.explain;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.ResourceQuota;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
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
import dev.sluice.see.explain.Explanation.Remedy;
import dev.sluice.see.names.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
  private final Names names;
  private final List<Remedy> found = new ArrayList<>();

  /**
   * Remedies for the workload of those trials.
   *
   * @param names whose names they may have
   */
  Remedies(Trials trials, Snapshot snapshot, String clusterQueue, Names names) {
    this.trials = trials;
    this.snapshot = snapshot;
    this.clusterQueue = clusterQueue;
    this.names = names;
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
    return found.stream().distinct().toList(); // those without names may look alike
  }

  /** How much more of each resource each flavor would need. */
  private static Map<String, Map<String, Long>> missing(Outcome turn) {
    Map<String, Map<String, Long>> missing = new LinkedHashMap<>();
    for (AssignedPodSet podSet :
        Assignments.of(turn.decision()).map(Assignment::podSets).orElse(List.of())) {
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
    Workload workload = trials.subject();
    if (!workload.spec().active()) {
      trying("set spec.active of the Workload to true", Edits.activated(workload));
    }
    String named = workload.spec().queueName();
    LocalQueue localQueue =
        named == null ? null : snapshot.localQueue(new ObjectKey(trials.key().namespace(), named));
    if (localQueue != null && localQueue.spec().stopPolicy() != StopPolicy.NONE) {
      trying("set spec.stopPolicy of LocalQueue " + named + " to None", Edits.opened(localQueue));
    }
    ClusterQueue queue = snapshot.clusterQueue(clusterQueue);
    if (queue != null && queue.spec().stopPolicy() != StopPolicy.NONE) {
      trying(
          "set spec.stopPolicy of ClusterQueue " + clusterQueue + " to None", Edits.opened(queue));
    }
  }

  /** The largest number of pods that would fit, found by halving. */
  private void fewerPods() {
    List<PodSet> podSets = trials.subject().spec().podSets();
    int count = podSets.isEmpty() ? 0 : podSets.getFirst().count();
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

  private Change withPods(int count) {
    return Edits.pods(trials.subject(), count);
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
          .ifPresent(it -> found.add(new Remedy(end(holder.key()), effect(it))));
    }
  }

  private String end(ObjectKey holder) {
    return names.shows(holder)
        ? "Workload " + holder + " ends"
        : "a workload of another namespace ends";
  }

  private static long size(WorkloadState holder) {
    long[] sum = new long[1];
    holder.usage().forEach((_, amount) -> sum[0] += amount);
    return sum[0];
  }

  private void moreQuota(Map<String, Map<String, Long>> missing) {
    ClusterQueue queue = snapshot.clusterQueue(clusterQueue);
    if (queue == null) {
      return;
    }
    missing.forEach(
        (flavor, resources) -> {
          raise(queue, flavor, resources, "nominalQuota", ResourceQuota::nominalQuota);
          raise(queue, flavor, resources, "borrowingLimit", ResourceQuota::borrowingLimit);
        });
  }

  private void raise(
      ClusterQueue queue,
      String flavor,
      Map<String, Long> resources,
      String field,
      Function<ResourceQuota, @Nullable Quantity> value) {
    List<String> changes = new ArrayList<>();
    Change edit =
        Edits.quotas(
            queue,
            flavor,
            quota -> {
              Long more = resources.get(quota.name());
              Quantity before = value.apply(quota);
              if (more == null || before == null) {
                return quota;
              }
              Quantity after =
                  Amount.toQuantity(
                      quota.name(), Amounts.plus(Amount.quota(quota.name(), before), more));
              changes.add("%s from %s to %s".formatted(quota.name(), before, after));
              boolean nominal = field.equals("nominalQuota");
              return new ResourceQuota(
                  quota.name(),
                  nominal ? after : quota.nominalQuota(),
                  nominal ? quota.borrowingLimit() : after,
                  quota.lendingLimit());
            });
    if (!changes.isEmpty()) {
      trying(
          "in ClusterQueue %s raise the %s of flavor %s: %s"
              .formatted(clusterQueue, field, flavor, String.join(", ", changes)),
          edit);
    }
  }

  /** The lowest priority, of those above a holder's, at which it could preempt others. */
  private void higherPriority() {
    long own = priority(trials.subject());
    List<Long> above =
        trials.holders().stream()
            .map(holder -> priority(holder.workload()) + 1)
            .filter(it -> it > own && it <= Integer.MAX_VALUE)
            .distinct()
            .sorted()
            .toList();
    for (int i = 0; i < Math.min(above.size(), MOST_PRIORITIES); i++) {
      Change edit = Edits.priority(trials.subject(), Math.toIntExact(above.get(i)));
      if (trying("give it the priority %d (it has %d)".formatted(above.get(i), own), edit)) {
        return;
      }
    }
  }

  private static long priority(Workload workload) {
    Integer priority = workload.spec().priority();
    return priority == null ? 0 : priority;
  }

  private boolean trying(String change, Change edit) {
    Optional<Outcome> outcome = trials.turn(List.of(edit), Set.of()).filter(Trials::helps);
    outcome.ifPresent(it -> found.add(new Remedy(change, effect(it))));
    return outcome.isPresent();
  }

  private String effect(Outcome outcome) {
    return outcome.decision() instanceof Decision.Preempting preempting
        ? "it is let in when these have given way: "
            + names.phrase(preempting.targets().stream().map(Target::workload).toList())
        : "it has quota when its turn comes";
  }
}
