package dev.sluice.quota.assign;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.quota.assign.PlacementPlanner.Plan;
import dev.sluice.quota.assign.PlacementPlanner.Unit;
import dev.sluice.quota.assign.UnitPlacer.Attempt;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.topology.placement.PlacedPods;
import dev.sluice.quota.topology.placement.PlacementRequest;
import dev.sluice.quota.topology.placement.PlacementSearch;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Places pods in the domains of the topology that their flavor names. */
// Flavors are served in the order of their names, in a flavor the PodSets in their order; each sees
// what the earlier ones of the same workload take. Afterwards the room is as it was before.
public final class TopologyAwarePlacement implements Placement {

  private final EngineConfiguration configuration;
  private final TopologyCache sites;
  private final PlacementSearch search;
  private final PlacementPlanner planner;
  private final UnitPlacer placer;

  public TopologyAwarePlacement(
      EngineConfiguration configuration,
      FlavorCatalog catalog,
      Function<String, @Nullable AdmissionCheck> checks,
      TopologyCache sites) {
    this.configuration = configuration;
    this.sites = sites;
    this.search = new PlacementSearch(configuration, sites);
    this.planner = new PlacementPlanner(catalog, checks, search);
    this.placer = new UnitPlacer(configuration, planner, search);
  }

  @Override
  public @Nullable String refusal(
      Head head, ResourceFlavor flavor, int podSet, QueueRules.Group group) {
    return planner.refusal(head, flavor, podSet, group);
  }

  @Override
  public Assignment place(Head head, Assignment assignment, TopologyUsage room) {
    if (assignment.mode() == Mode.NO_FIT) {
      return assignment;
    }
    Plan plan = planner.plan(head, assignment);
    AssignedPodSet faulty = plan.faulty();
    if (faulty != null) {
      Refusal refusal = new Refusal.Unsuitable("", plan.problem());
      return changed(assignment, List.of(faulty), p -> p.failing(refusal))
          .impossible(PendingReason.NO_MATCHING_FLAVOR);
    }
    Assignment current = plan.assignment();
    if (plan.units().isEmpty()) {
      return current;
    }
    if (current.mode() == Mode.FIT) {
      Attempt now = attemptWithout(head, plan.units(), room);
      Unit failed = now.failed();
      if (failed == null) {
        return placed(current, now.places());
      }
      current = preempting(current, failed, explained(head, failed, room, false));
    }
    return head.failedNodes().isEmpty() ? evenEmpty(head, plan, current) : current;
  }

  /** The attempt with the slice that the head replaces out of the way, unless it stays there. */
  private Attempt attemptWithout(Head head, List<Unit> units, TopologyUsage room) {
    WorkloadState replaced = leaving(head);
    if (replaced == null) {
      return placer.attempt(head, units, room);
    }
    room.remove(replaced.key());
    Attempt attempt = placer.attempt(head, units, room);
    room.add(replaced.key());
    return attempt;
  }

  /** The slice whose places the head does not go on with, or null. */
  private @Nullable WorkloadState leaving(Head head) {
    return SlicePlaces.of(head, configuration) == null ? head.replaced() : null;
  }

  /** The attempt in an empty cluster. */
  private Attempt attemptAlone(Head head, List<Unit> units, TopologyUsage empty) {
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    if (slice != null) {
      empty.add(slice.key());
    }
    return placer.attempt(head, units, empty);
  }

  private Assignment preempting(Assignment assignment, Unit failed, Refusal because) {
    return changed(assignment, failed.members(), p -> p.preempting(because)).withMode(Mode.PREEMPT);
  }

  private Refusal explained(Head head, Unit unit, TopologyUsage room, boolean evenEmpty) {
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    PlacementRequest ask = slice == null ? unit.ask() : slice.lacking(unit.ask());
    return new Refusal.NoRoom(unit.flavor(), search.explain(room, unit.flavor(), ask), evenEmpty);
  }

  /** Whether it could be placed in an empty cluster. */
  private Assignment evenEmpty(Head head, Plan plan, Assignment current) {
    TopologyUsage empty = sites.emptyTopologyUsage();
    Attempt attempt = attemptAlone(head, plan.units(), empty);
    Unit failed = attempt.failed();
    if (failed != null) {
      Refusal refusal = explained(head, failed, empty, true);
      return changed(plan.assignment(), failed.members(), p -> p.failing(refusal))
          .impossible(PendingReason.TOPOLOGY_PLACEMENT_FAILED);
    }
    List<AssignedPodSet> all = plan.units().stream().flatMap(u -> u.members().stream()).toList();
    return changed(current, all, p -> p.preempting(null)).withMode(Mode.PREEMPT);
  }

  private static Assignment changed(
      Assignment assignment, List<AssignedPodSet> which, UnaryOperator<AssignedPodSet> edit) {
    Set<String> names = new TreeSet<>();
    which.forEach(p -> names.add(p.name()));
    return assignment.withPodSets(
        assignment.podSets().stream()
            .map(p -> names.contains(p.name()) ? edit.apply(p) : p)
            .toList());
  }

  private static Assignment placed(Assignment assignment, Map<String, PodPlacement> places) {
    return assignment.withPodSets(
        assignment.podSets().stream()
            .map(
                p ->
                    places.containsKey(p.name())
                        ? p.placed(
                            places.get(p.name()),
                            p.delayed() == null ? null : DelayedTopologyRequestState.READY)
                        : p)
            .toList());
  }

  @Override
  public boolean concerns(Head head, Assignment assignment) {
    return !planner.plan(head, assignment).units().isEmpty();
  }

  @Override
  public boolean placeable(Head head, Assignment assignment, TopologyUsage room) {
    return attemptWithout(head, planner.plan(head, assignment).units(), room).failed() == null;
  }

  @Override
  public Assignment reserving(
      Head head, Assignment assignment, TopologyUsage room, boolean evenEmpty) {
    List<Unit> units = planner.plan(head, assignment).units();
    if (units.isEmpty() || !head.failedNodes().isEmpty()) {
      return assignment;
    }
    Attempt attempt =
        evenEmpty
            ? attemptAlone(head, units, sites.emptyTopologyUsage())
            : attemptWithout(head, units, room);
    return attempt.failed() == null ? placed(assignment, attempt.places()) : assignment;
  }

  @Override
  public boolean fits(Head head, Assignment assignment, TopologyUsage room) {
    List<PlacedPods> claims = placer.claims(head, assignment);
    WorkloadState replaced = leaving(head);
    BooleanSupplier fits = () -> claims.isEmpty() || search.fits(room, claims);
    if (replaced == null) {
      return fits.getAsBoolean();
    }
    room.remove(replaced.key());
    boolean result = fits.getAsBoolean();
    room.add(replaced.key());
    return result;
  }

  @Override
  public void take(Head head, Assignment assignment, TopologyUsage room) {
    UnitPlacer.take(placer.claims(head, assignment), room, 1);
  }
}
