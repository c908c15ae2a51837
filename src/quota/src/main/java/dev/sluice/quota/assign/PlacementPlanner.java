package dev.sluice.quota.assign;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.TopologyRequests;
import dev.sluice.quota.topology.placement.PlacementRequest;
import dev.sluice.quota.topology.placement.PlacementSearch;
import dev.sluice.quota.world.QueueRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which pods of an assignment are to be placed by topology, and with which others: PodSets of one
 * group are one unit.
 */
final class PlacementPlanner {
  /** PodSets that are placed together. */
  record Unit(String flavor, PlacementRequest ask, List<AssignedPodSet> members) {}

  /**
   * The units in the order in which they are placed.
   *
   * @param assignment with what is placed later marked as delayed
   * @param faulty the PodSet for which there is no plan; null where there is one
   * @param problem why there is none
   */
  record Plan(
      Assignment assignment, List<Unit> units, @Nullable AssignedPodSet faulty, String problem) {}

  private final FlavorCatalog catalog;
  private final Function<String, @Nullable AdmissionCheck> checks;
  private final PlacementSearch search;

  PlacementPlanner(
      FlavorCatalog catalog,
      Function<String, @Nullable AdmissionCheck> checks,
      PlacementSearch search) {
    this.catalog = catalog;
    this.checks = checks;
    this.search = search;
  }

  /** See {@link Placement#refusal}. */
  @Nullable String refusal(Head head, ResourceFlavor flavor, int podSet, QueueRules.Group group) {
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

  static PodSet spec(Head head, int podSet) {
    return head.workload().workload().spec().podSets().get(podSet);
  }

  /** Whether the pods themselves ask for one of the resources, not only a sum made of others. */
  private static boolean asksForAny(Head head, int podSet, QueueRules.Group group) {
    return group.resources().stream().anyMatch(head.workload().podRequests(podSet)::has);
  }

  private boolean onlyTopologies(QueueRules rules) {
    for (String flavor : rules.flavors()) { // asked for each PodSet of each head
      if (!hasTopology(flavor)) {
        return false;
      }
    }
    return true;
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

  Plan plan(Head head, Assignment assignment) {
    Map<String, Unit> units = new LinkedHashMap<>();
    List<AssignedPodSet> podSets = new ArrayList<>();
    Map<String, Integer> indexes = indexes(head);
    for (AssignedPodSet podSet : assignment.podSets()) {
      Integer index = indexes.get(podSet.name());
      if (hasNobodyLeft(head, podSet)) {
        podSets.add(podSet.placed(null, DelayedTopologyRequestState.READY));
        continue;
      }
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

  /** The position of each PodSet in the Workload. */
  static Map<String, Integer> indexes(Head head) {
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

  /** Whether all its pods went while their places were still to be found. */
  private static boolean hasNobodyLeft(Head head, AssignedPodSet podSet) {
    return head.secondPass()
        && podSet.count() == 0
        && podSet.delayed() == DelayedTopologyRequestState.PENDING;
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

  /** The flavors of the PodSet that have a topology. */
  NavigableSet<String> flavors(AssignedPodSet podSet) {
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
}
