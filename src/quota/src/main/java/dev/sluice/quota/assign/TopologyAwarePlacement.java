package dev.sluice.quota.assign;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.TopologyRequests;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.topology.placement.FoundPlacement;
import dev.sluice.quota.topology.placement.PlacedPods;
import dev.sluice.quota.topology.placement.PlacementRequest;
import dev.sluice.quota.topology.placement.PlacementSearch;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Places pods in the domains of the topology that their flavor names. */
// Flavors are served in the order of their names, in a flavor the PodSets in their order; each sees
// what the earlier ones of the same workload take. Afterwards the room is as it was before.
public final class TopologyAwarePlacement implements Placement {

  private final EngineConfiguration configuration;
  private final FlavorCatalog catalog;
  private final Function<String, @Nullable AdmissionCheck> checks;
  private final TopologyCache sites;
  private final PlacementSearch search;

  public TopologyAwarePlacement(
      EngineConfiguration configuration,
      FlavorCatalog catalog,
      Function<String, @Nullable AdmissionCheck> checks,
      TopologyCache sites) {
    this.configuration = configuration;
    this.catalog = catalog;
    this.checks = checks;
    this.sites = sites;
    this.search = new PlacementSearch(configuration, sites);
  }

  @Override
  public @Nullable String refusal(
      Head head, ResourceFlavor flavor, int podSet, QueueRules.Group group) {
    PodSet spec = spec(head, podSet);
    String name = flavor.metadata().name();
    boolean explicit = TopologyRequests.explicit(spec);
    if (flavor.spec().topologyName() == null) {
      return explicit && asksForAny(head, podSet, group)
          ? "it has no topology, but PodSet " + spec.name() + " asks for one"
          : null;
    }
    if (!explicit) {
      return onlyTopologies(head.rules())
          ? null
          : "its pods are placed by topology, for which PodSet " + spec.name() + " does not ask";
    }
    if (controlledBy(head.rules(), Controllers.MULTI_KUEUE, name)) {
      return null; // the topology is that of another cluster
    }
    if (!search.knows(name)) {
      return "its topology " + flavor.spec().topologyName() + " cannot be used";
    }
    for (String level : TopologyRequests.levels(spec)) {
      if (!search.hasLevel(name, level)) {
        return "its topology " + flavor.spec().topologyName() + " has no level " + level;
      }
    }
    return null;
  }

  private static PodSet spec(Head head, int podSet) {
    return head.workload().workload().spec().podSets().get(podSet);
  }

  /** Whether the pods themselves ask for one of the resources, not only a sum made of others. */
  private static boolean asksForAny(Head head, int podSet, QueueRules.Group group) {
    return group.resources().stream().anyMatch(head.workload().podRequests(podSet)::has);
  }

  private boolean onlyTopologies(QueueRules rules) {
    return rules.flavors().stream().allMatch(this::hasTopology);
  }

  private boolean hasTopology(String name) {
    ResourceFlavor flavor = catalog.find(name);
    return flavor != null && flavor.spec().topologyName() != null;
  }

  /** Whether a check of that controller has to do with that flavor. */
  private boolean controlledBy(QueueRules rules, String controller, String flavor) {
    return rules.checks().stream()
        .filter(rule -> rule.onFlavors().isEmpty() || rule.onFlavors().contains(flavor))
        .map(rule -> checks.apply(rule.name()))
        .anyMatch(check -> check != null && controller.equals(check.spec().controllerName()));
  }

  /** PodSets that are placed together. */
  private record Unit(String flavor, PlacementRequest ask, List<AssignedPodSet> members) {}

  /** What is to be placed, or what is wrong with it. */
  private record Plan(
      Assignment assignment, List<Unit> units, @Nullable AssignedPodSet faulty, String problem) {}

  private Plan plan(Head head, Assignment assignment) {
    Map<String, Unit> units = new LinkedHashMap<>();
    List<AssignedPodSet> podSets = new ArrayList<>();
    Map<String, Integer> indexes = indexes(head);
    for (AssignedPodSet podSet : assignment.podSets()) {
      Integer index = indexes.get(podSet.name());
      if (index == null || leftOut(head, podSet, index)) {
        podSets.add(podSet);
        continue;
      }
      NavigableSet<String> flavors = flavors(podSet);
      if (flavors.size() != 1) {
        String problem =
            "PodSet %s has %d flavors with a topology (expected: one)"
                .formatted(podSet.name(), flavors.size());
        return new Plan(assignment, List.of(), podSet, problem);
      }
      String flavor = flavors.first();
      if (isDelayed(head, flavor)) {
        podSets.add(podSet.placed(null, DelayedTopologyRequestState.PENDING));
        continue;
      }
      podSets.add(podSet);
      String group = TopologyRequests.group(spec(head, index));
      String key = group == null ? "alone/" + index : "group/" + group;
      Unit known = units.get(key);
      units.put(
          key, known == null ? unit(head, flavor, index, podSet) : joined(known, index, podSet));
    }
    List<Unit> ordered = new ArrayList<>(units.values());
    ordered.sort(
        Comparator.comparing(Unit::flavor).thenComparing(u -> u.ask().podSets().getFirst()));
    return new Plan(assignment.withPodSets(podSets), ordered, null, "");
  }

  private static Map<String, Integer> indexes(Head head) {
    Map<String, Integer> indexes = new HashMap<>();
    List<PodSet> specs = head.workload().workload().spec().podSets();
    for (int i = 0; i < specs.size(); i++) {
      indexes.put(specs.get(i).name(), i);
    }
    return indexes;
  }

  private static Unit unit(Head head, String flavor, int index, AssignedPodSet podSet) {
    var ask = new PlacementRequest(head.workload(), List.of(index), List.of(podSet.count()));
    return new Unit(flavor, ask, List.of(podSet));
  }

  private static Unit joined(Unit unit, int index, AssignedPodSet podSet) {
    List<Integer> podSets = new ArrayList<>(unit.ask().podSets());
    podSets.add(index);
    List<Integer> counts = new ArrayList<>(unit.ask().counts());
    counts.add(podSet.count());
    List<AssignedPodSet> members = new ArrayList<>(unit.members());
    members.add(podSet);
    return new Unit(
        unit.flavor(), new PlacementRequest(unit.ask().workload(), podSets, counts), members);
  }

  private boolean leftOut(Head head, AssignedPodSet podSet, int index) {
    PodSet spec = spec(head, index);
    PodPlacement present = podSet.placement();
    boolean promised =
        head.secondPass()
            && (present != null || podSet.delayed() == DelayedTopologyRequestState.PENDING);
    boolean asks = promised || TopologyRequests.explicit(spec) || onlyTopologies(head.rules());
    boolean healthy =
        present != null && (head.failedNodes().isEmpty() || !lost(present, head.failedNodes()));
    boolean settled = head.secondPass() && present == null && podSet.delayed() == null;
    return !asks || podSet.count() == 0 || healthy || settled;
  }

  private static boolean lost(PodPlacement placement, Set<String> nodes) {
    return placement.onHosts()
        && placement.domains().stream().anyMatch(d -> nodes.contains(d.values().getLast()));
  }

  private NavigableSet<String> flavors(AssignedPodSet podSet) {
    NavigableSet<String> found = new TreeSet<>();
    for (AssignedFlavor flavor : podSet.flavors().values()) {
      if (hasTopology(flavor.flavor())) {
        found.add(flavor.flavor());
      }
    }
    return found;
  }

  private boolean isDelayed(Head head, String flavor) {
    return controlledBy(head.rules(), Controllers.MULTI_KUEUE, flavor)
        || (!head.secondPass()
            && controlledBy(head.rules(), Controllers.PROVISIONING_REQUEST, flavor));
  }

  /** Places by PodSet, or the unit that found none. */
  private record Attempt(Map<String, PodPlacement> places, @Nullable Unit failed) {}

  private Attempt attempt(Head head, List<Unit> units, TopologyUsage room) {
    Map<String, PodPlacement> places = new HashMap<>();
    List<PlacedPods> claims = new ArrayList<>();
    Unit failed = null;
    for (Unit unit : units) {
      Map<String, PodPlacement> found = places(head, unit, room);
      if (found == null) {
        failed = unit;
        break;
      }
      places.putAll(found);
      List<PlacedPods> taken = claims(head, unit, found);
      take(taken, room, 1);
      claims.addAll(taken);
    }
    take(claims, room, -1);
    return new Attempt(places, failed);
  }

  private @Nullable Map<String, PodPlacement> places(Head head, Unit unit, TopologyUsage room) {
    if (unit.members().stream().anyMatch(m -> m.placement() != null)) {
      return replaced(head, unit, room);
    }
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    if (slice == null) {
      return found(head, unit, room);
    }
    if (unit.members().stream()
        .map(it -> slice.of(it.name()))
        .anyMatch(it -> it != null && search.isStale(unit.flavor(), it))) {
      room.remove(slice.key());
      Map<String, PodPlacement> found = found(head, unit, room);
      room.add(slice.key());
      return found;
    }
    return oneByOne(head, unit, room, i -> resized(slice, unit, i, room));
  }

  private @Nullable Map<String, PodPlacement> found(Head head, Unit unit, TopologyUsage room) {
    FoundPlacement placing = search.find(room, unit.flavor(), unit.ask());
    if (placing == null) {
      return null;
    }
    Map<String, PodPlacement> found = new HashMap<>();
    found.put(spec(head, unit.ask().workers()).name(), placing.workers());
    Integer leader = unit.ask().leader();
    PodPlacement leads = placing.leader();
    if (leader != null && leads != null) {
      found.put(spec(head, leader).name(), leads);
    }
    return found;
  }

  /** Places with those on failed nodes replaced, one PodSet after the other. */
  private @Nullable Map<String, PodPlacement> replaced(Head head, Unit unit, TopologyUsage room) {
    return configuration.on(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
        ? oneByOne(head, unit, room, i -> replaced(head, unit, i, room))
        : null;
  }

  private @Nullable Map<String, PodPlacement> oneByOne(
      Head head, Unit unit, TopologyUsage room, IntFunction<@Nullable PodPlacement> search) {
    Map<String, PodPlacement> found = new HashMap<>();
    List<PlacedPods> claims = new ArrayList<>();
    for (int i = 0; i < unit.members().size(); i++) {
      PodPlacement after = search.apply(i);
      if (after == null) {
        break;
      }
      found.put(unit.members().get(i).name(), after);
      List<PlacedPods> taken = new ArrayList<>();
      addClaim(head, unit.ask().podSets().get(i), unit.flavor(), after, taken);
      take(taken, room, 1);
      claims.addAll(taken);
    }
    take(claims, room, -1);
    return found.size() == unit.members().size() ? found : null;
  }

  private @Nullable PodPlacement replaced(Head head, Unit unit, int index, TopologyUsage room) {
    AssignedPodSet member = unit.members().get(index);
    PodPlacement present = member.placement();
    if (present == null) {
      return null;
    }
    return search.replace(
        room,
        unit.flavor(),
        unit.ask().alone(index),
        present,
        others(unit, index, AssignedPodSet::placement),
        head.failedNodes());
  }

  /** Where the other PodSets of the unit are. */
  private static List<PodPlacement> others(
      Unit unit, int index, Function<AssignedPodSet, @Nullable PodPlacement> where) {
    List<PodPlacement> others = new ArrayList<>();
    for (int i = 0; i < unit.members().size(); i++) {
      PodPlacement other = i == index ? null : where.apply(unit.members().get(i));
      if (other != null) {
        others.add(other);
      }
    }
    return others;
  }

  /** The places that its pods had in the slice before, and more, or fewer. */
  private @Nullable PodPlacement resized(
      SlicePlaces slice, Unit unit, int index, TopologyUsage room) {
    PlacementRequest ask = unit.ask().alone(index);
    PodPlacement present = slice.of(unit.members().get(index).name());
    if (present == null) {
      FoundPlacement placing = search.find(room, unit.flavor(), ask);
      return placing == null ? null : placing.workers();
    }
    return search.resize(
        room, unit.flavor(), ask, present, others(unit, index, it -> slice.of(it.name())));
  }

  @Override
  public Assignment place(Head head, Assignment assignment, TopologyUsage room) {
    if (assignment.mode() == Mode.NO_FIT) {
      return assignment;
    }
    Plan plan = plan(head, assignment);
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
      return attempt(head, units, room);
    }
    room.remove(replaced.key());
    Attempt attempt = attempt(head, units, room);
    room.add(replaced.key());
    return attempt;
  }

  /** The slice whose places the head does not go on with, or null. */
  private @Nullable WorkloadState leaving(Head head) {
    return SlicePlaces.of(head, configuration) == null ? head.replaced() : null;
  }

  /** The attempt with nobody else there. */
  private Attempt attemptAlone(Head head, List<Unit> units, TopologyUsage empty) {
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    if (slice != null) {
      empty.add(slice.key());
    }
    return attempt(head, units, empty);
  }

  private Assignment preempting(Assignment assignment, Unit failed, Refusal because) {
    return changed(assignment, failed.members(), p -> p.preempting(because)).withMode(Mode.PREEMPT);
  }

  private Refusal explained(Head head, Unit unit, TopologyUsage room, boolean evenEmpty) {
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    PlacementRequest ask = slice == null ? unit.ask() : slice.lacking(unit.ask());
    return new Refusal.NoRoom(unit.flavor(), search.explain(room, unit.flavor(), ask), evenEmpty);
  }

  /** Whether it could work at all, with nobody else there. */
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
    return !plan(head, assignment).units().isEmpty();
  }

  @Override
  public boolean placeable(Head head, Assignment assignment, TopologyUsage room) {
    return attemptWithout(head, plan(head, assignment).units(), room).failed() == null;
  }

  @Override
  public Assignment reserving(
      Head head, Assignment assignment, TopologyUsage room, boolean evenEmpty) {
    List<Unit> units = plan(head, assignment).units();
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
    List<PlacedPods> claims = claims(head, assignment);
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
    take(claims(head, assignment), room, 1);
  }

  private static void take(List<PlacedPods> claims, TopologyUsage room, int times) {
    claims.forEach(c -> room.take(c.flavor(), c.placement(), c.perPod(), times));
  }

  /** The places of an assignment beyond those that the workload, or its slice, has already. */
  private List<PlacedPods> claims(Head head, Assignment assignment) {
    if (!assignment.placesPods()) {
      return List.of();
    }
    Map<String, Integer> indexes = indexes(head);
    List<PlacedPods> claims = new ArrayList<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      PodPlacement placement = podSet.placement();
      Integer index = indexes.get(podSet.name());
      NavigableSet<String> flavors = flavors(podSet);
      if (placement != null && index != null && flavors.size() == 1) {
        addClaim(head, index, flavors.first(), placement, claims);
      }
    }
    return claims;
  }

  private List<PlacedPods> claims(Head head, Unit unit, Map<String, PodPlacement> found) {
    List<PlacedPods> claims = new ArrayList<>();
    for (int index : unit.ask().podSets()) {
      PodPlacement placement = found.get(spec(head, index).name());
      if (placement != null) {
        addClaim(head, index, unit.flavor(), placement, claims);
      }
    }
    return claims;
  }

  private void addClaim(
      Head head, int index, String flavor, PodPlacement placement, List<PlacedPods> claims) {
    SlicePlaces slice = SlicePlaces.of(head, configuration);
    PodPlacement present =
        head.secondPass()
            ? FoundPlacement.present(head.workload(), index)
            : slice == null ? null : slice.of(spec(head, index).name());
    PodPlacement more = present == null ? placement : placement.beyond(present);
    if (!more.domains().isEmpty()) {
      claims.add(new PlacedPods(flavor, more, head.workload().podRequests(index)));
    }
  }
}
