package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.preempt.MemoizedTargetSearch;
import dev.sluice.quota.preempt.PreemptionRequest;
import dev.sluice.quota.preempt.TargetSearch;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.trial.TreeTrial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds how a head could be served: by which flavors, with how many pods, and by preempting which
 * workloads. Leaves the tree unchanged.
 */
public final class Nominator {
  private final EngineConfiguration configuration;
  private final FlavorCatalog catalog;
  private final Placement placement;
  private final TargetSearch search;

  public Nominator(EngineConfiguration configuration, FlavorCatalog catalog, Placement placement) {
    this.configuration = configuration;
    this.catalog = catalog;
    this.placement = placement;
    this.search = TargetSearch.of(configuration);
  }

  /**
   * The flavors and victims for that head.
   *
   * @param pins flavors by PodSet and resource that an earlier nomination of this cycle settled on
   */
  public Nominated nominate(TreeTrial trial, Head head, Map<Slot, String> pins) {
    var attempt = new Attempt(trial, head, pins);
    int[] counts = attempt.counts();
    Nominated full = attempt.with(counts);
    return full.works() || !mayBePartial(head, counts)
        ? full
        : attempt.partial(counts).orElse(full);
  }

  private boolean mayBePartial(Head head, int[] counts) {
    if (!configuration.on(FeatureGate.PARTIAL_ADMISSION)
        || head.replaced() != null
        || head.secondPass()) {
      return false;
    }
    List<PodSet> podSets = head.workload().workload().spec().podSets();
    for (int i = 0; i < counts.length; i++) {
      Integer least = podSets.get(i).minCount();
      if (least != null && least < counts[i]) {
        return true;
      }
    }
    return false;
  }

  private final class Attempt {
    private final TreeTrial trial;
    private final Head head;
    private final Map<Slot, String> pins;
    private final TargetSearch search = new MemoizedTargetSearch(Nominator.this.search);

    Attempt(TreeTrial trial, Head head, Map<Slot, String> pins) {
      this.trial = trial;
      this.head = head;
      this.pins = pins;
    }

    int[] counts() {
      List<PodSetRequests> requests = head.workload().requests();
      int[] counts = new int[requests.size()];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = requests.get(i).count();
      }
      return counts;
    }

    Nominated with(int[] counts) {
      Assignment assignment =
          head.secondPass()
              ? placement.place(head, PresentAssignment.assignment(head), trial.topologyUsage())
              : new FlavorAssigner(
                      SearchContext.of(
                          trial, catalog, placement, search, configuration, head, pins))
                  .assign(counts);
      return assignment.mode() == Mode.PREEMPT && head.failedNodes().isEmpty()
          ? preempting(assignment)
          : new Nominated(assignment, List.of());
    }

    private Nominated preempting(Assignment assignment) {
      List<Victim> victims = victims(assignment);
      if (!placement.concerns(head, assignment)) {
        return new Nominated(assignment, victims);
      }
      victims.forEach(v -> trial.remove(v.held()));
      Assignment reserving =
          placement.reserving(head, assignment, trial.topologyUsage(), victims.isEmpty());
      victims.forEach(v -> trial.add(v.held()));
      return new Nominated(reserving, victims);
    }

    private List<Victim> victims(Assignment assignment) {
      return search.targets(
          trial,
          new PreemptionRequest(
              head.workload(),
              head.rules(),
              trial.node(head.rules().name()),
              trial.columns(assignment.needingPreemption()),
              trial.shape().vector(assignment.usage().withoutZeros()),
              head.replaced(),
              placed(assignment)));
    }

    /** Whether, with some away, the pods find places; they always do where they have none. */
    private BooleanSupplier placed(Assignment assignment) {
      return placement.concerns(head, assignment)
          ? () -> placement.placeable(head, assignment, trial.topologyUsage())
          : PreemptionRequest.ANYWHERE;
    }

    /** The most pods that work, between all and the fewest each PodSet can start with. */
    Optional<Nominated> partial(int[] full) {
      int[] deltas = deltas(full);
      long total = 0;
      for (int delta : deltas) {
        total += delta;
      }
      long low = 0;
      long high = total + 1;
      long lastGood = -1;
      Nominated found = null;
      while (low < high) {
        long middle = (low + high) >>> 1;
        Nominated probe = with(reduced(full, deltas, middle, total));
        if (probe.works()) {
          high = middle;
          lastGood = middle;
          found = probe;
        } else {
          low = middle + 1;
        }
      }
      return lastGood == low ? Optional.ofNullable(found) : Optional.empty();
    }

    private int[] deltas(int[] full) {
      List<PodSet> podSets = head.workload().workload().spec().podSets();
      int[] deltas = new int[full.length];
      for (int i = 0; i < full.length; i++) {
        Integer least = podSets.get(i).minCount();
        deltas[i] = least == null ? 0 : Math.max(0, full[i] - least);
      }
      return deltas;
    }

    private int[] reduced(int[] full, int[] deltas, long step, long total) {
      int[] counts = full.clone();
      for (int i = 0; i < counts.length; i++) {
        counts[i] -= (int) (deltas[i] * step / total);
      }
      return counts;
    }
  }
}
