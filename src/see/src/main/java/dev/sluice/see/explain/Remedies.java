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
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Single changes that would let a workload in, each of them tried on the engine. Bounded: so many
 * holders and priorities are tried, no more.
 */
final class Remedies {
  private static final int MOST_HOLDERS = 16;
  private static final int MOST_NAMED = 3;
  private static final int MOST_PRIORITIES = 8;
  private static final String IN_TURN = "it has quota when its turn comes";

  private final Trials trials;
  private final Snapshot snapshot;
  private final String clusterQueue;
  private final Names names;
  private final List<Remedy> found = new ArrayList<>();

  /** Those that help only when its turn comes. */
  private final List<Remedy> inTurn = new ArrayList<>();

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

  /**
   * What helps, the smallest first, and first what helps at once; nothing if the workload only has
   * to wait for its turn.
   */
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
    found.addAll(inTurn);
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

  /** The largest number of pods that would fit at once, or else when its turn comes. */
  private void fewerPods() {
    List<PodSet> podSets = trials.subject().spec().podSets();
    int count = podSets.isEmpty() ? 0 : podSets.getFirst().count();
    if (podSets.size() != 1 || count < 2) {
      return;
    }
    int fits = most(count, it -> helpsInTurn(withPods(it)));
    int fitsAtOnce = most(fits + 1, it -> helpsAtOnce(withPods(it)));
    int best = fitsAtOnce > 0 ? fitsAtOnce : fits;
    if (best > 0) {
      trying("run with %d pods in place of %d".formatted(best, count), withPods(best));
    }
  }

  /** The largest number below that one that helps, found by halving; 0 for none. */
  private static int most(int below, IntPredicate helps) {
    int fits = 0;
    int tooMany = below;
    while (tooMany - fits > 1) {
      int half = fits + (tooMany - fits) / 2;
      if (helps.test(half)) {
        fits = half;
      } else {
        tooMany = half;
      }
    }
    return fits;
  }

  private boolean helpsInTurn(Change edit) {
    return trials.turn(List.of(edit), Set.of()).filter(Trials::helps).isPresent();
  }

  private boolean helpsAtOnce(Change edit) {
    return trials.inLine(List.of(edit), Set.of()).isPresent();
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
    List<Remedy> later = new ArrayList<>();
    int atOnce = 0;
    int tried = 0;
    for (WorkloadState holder : smallest) {
      if (atOnce == MOST_NAMED || tried++ == MOST_HOLDERS) {
        break;
      }
      Optional<Trial> trial = trial(List.of(), Set.of(holder.key()));
      if (trial.isPresent()) {
        Remedy remedy = new Remedy(end(holder.key()), trial.get().effect());
        (trial.get().atOnce() ? found : later).add(remedy);
        atOnce += trial.get().atOnce() ? 1 : 0;
      }
    }
    inTurn.addAll(later.subList(0, Math.min(later.size(), MOST_NAMED - atOnce)));
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
    Workload subject = trials.subject();
    long own = priority(subject);
    List<Long> above =
        trials.holders().stream()
            .map(holder -> priority(holder.workload()) + 1)
            .filter(it -> it > own && it <= Integer.MAX_VALUE)
            .distinct()
            .sorted()
            .limit(MOST_PRIORITIES)
            .toList();
    Optional<Remedy> first = Optional.empty();
    for (long priority : above) {
      Optional<Trial> trial =
          trial(List.of(Edits.priority(subject, Math.toIntExact(priority))), Set.of());
      if (trial.isPresent()) {
        var remedy =
            new Remedy(
                "give it the priority %d (it has %d)".formatted(priority, own),
                trial.get().effect());
        if (trial.get().atOnce()) {
          found.add(remedy);
          return;
        }
        first = first.or(() -> Optional.of(remedy));
      }
    }
    first.ifPresent(inTurn::add);
  }

  private static long priority(Workload workload) {
    Integer priority = workload.spec().priority();
    return priority == null ? 0 : priority;
  }

  private void trying(String change, Change edit) {
    trial(List.of(edit), Set.of())
        .ifPresent(it -> (it.atOnce() ? found : inTurn).add(new Remedy(change, it.effect())));
  }

  /**
   * What a change that helps would lead to.
   *
   * @param atOnce whether it gets quota even if all others that wait are considered, too
   */
  private record Trial(boolean atOnce, String effect) {}

  private Optional<Trial> trial(List<Change> edits, Set<ObjectKey> ended) {
    Optional<Outcome> turn = trials.turn(edits, ended).filter(Trials::helps);
    if (turn.isEmpty()) {
      return Optional.empty();
    }
    Optional<Set<ObjectKey>> atOnce = trials.inLine(edits, ended);
    if (atOnce.isPresent()) {
      return Optional.of(new Trial(true, atOnce(atOnce.get())));
    }
    return turn.get().decision() instanceof Decision.Reserved
        ? Optional.of(new Trial(false, IN_TURN))
        : trials.inTurn(edits, ended).map(evicted -> new Trial(false, inTurn(evicted)));
  }

  private String atOnce(Set<ObjectKey> evicted) {
    return evicted.isEmpty()
        ? "it gets quota at once"
        : "it gets quota after these are evicted: " + names.phrase(evicted);
  }

  private String inTurn(Set<ObjectKey> evicted) {
    return evicted.isEmpty()
        ? IN_TURN
        : "when its turn comes, it gets quota after these are evicted: " + names.phrase(evicted);
  }
}
