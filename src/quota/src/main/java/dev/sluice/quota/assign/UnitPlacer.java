package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.assign.PlacementPlanner.Unit;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.topology.placement.FoundPlacement;
import dev.sluice.quota.topology.placement.PlacedPods;
import dev.sluice.quota.topology.placement.PlacementRequest;
import dev.sluice.quota.topology.placement.PlacementSearch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Looks for the places of units in a room. */
final class UnitPlacer {
  /** Places by PodSet, or the unit that found none. */
  record Attempt(Map<String, PodPlacement> places, @Nullable Unit failed) {}

  private final EngineConfiguration configuration;
  private final PlacementPlanner planner;
  private final PlacementSearch search;

  UnitPlacer(EngineConfiguration configuration, PlacementPlanner planner, PlacementSearch search) {
    this.configuration = configuration;
    this.planner = planner;
    this.search = search;
  }

  /** Places one unit after the other; the room is afterwards as it was before. */
  Attempt attempt(Head head, List<Unit> units, TopologyUsage room) {
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
    found.put(PlacementPlanner.spec(head, unit.ask().workers()).name(), placing.workers());
    Integer leader = unit.ask().leader();
    PodPlacement leads = placing.leader();
    if (leader != null && leads != null) {
      found.put(PlacementPlanner.spec(head, leader).name(), leads);
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

  /** Takes the places so many times. */
  static void take(List<PlacedPods> claims, TopologyUsage room, int times) {
    claims.forEach(c -> room.take(c.flavor(), c.placement(), c.perPod(), times));
  }

  /** The places of an assignment beyond those that the workload, or its slice, has already. */
  List<PlacedPods> claims(Head head, Assignment assignment) {
    if (!assignment.placesPods()) {
      return List.of();
    }
    Map<String, Integer> indexes = PlacementPlanner.indexes(head);
    List<PlacedPods> claims = new ArrayList<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      PodPlacement placement = podSet.placement();
      Integer index = indexes.get(podSet.name());
      NavigableSet<String> flavors = planner.flavors(podSet);
      if (placement != null && index != null && flavors.size() == 1) {
        addClaim(head, index, flavors.first(), placement, claims);
      }
    }
    return claims;
  }

  private List<PlacedPods> claims(Head head, Unit unit, Map<String, PodPlacement> found) {
    List<PlacedPods> claims = new ArrayList<>();
    for (int index : unit.ask().podSets()) {
      PodPlacement placement = found.get(PlacementPlanner.spec(head, index).name());
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
            : slice == null ? null : slice.of(PlacementPlanner.spec(head, index).name());
    PodPlacement more = present == null ? placement : placement.beyond(present);
    if (!more.domains().isEmpty()) {
      claims.add(new PlacedPods(flavor, more, head.workload().podRequests(index)));
    }
  }
}
