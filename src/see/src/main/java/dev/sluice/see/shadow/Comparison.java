package dev.sluice.see.shadow;

import static java.util.stream.Collectors.joining;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares decisions, and says what they are. */
final class Comparison {
  private static final int MOST_NAMES = 5;

  private Comparison() {}

  /** How our decision compares with a reservation. */
  static Verdict of(@Nullable Outcome ours, Admission theirs) {
    Admission own =
        ours != null && ours.decision() instanceof Decision.Reserved
            ? ours.change().after().admission()
            : null;
    if (own == null) {
      return Verdict.LATER;
    }
    if (!Objects.equals(own.clusterQueue(), theirs.clusterQueue())
        || !flavors(own).equals(flavors(theirs))) {
      return Verdict.OTHER_FLAVOR;
    }
    return places(own).equals(places(theirs)) ? Verdict.SAME : Verdict.OTHER_PLACE;
  }

  private record Given(Map<String, String> flavors, @Nullable Integer pods) {}

  private static Map<String, Given> flavors(Admission admission) {
    Map<String, Given> byPodSet = new TreeMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      byPodSet.put(podSet.name(), new Given(new TreeMap<>(podSet.flavors()), podSet.count()));
    }
    return byPodSet;
  }

  /** Pods by domain; the hostname alone names a node, whatever levels are written beside it. */
  private static Map<String, Map<List<String>, Integer>> places(Admission admission) {
    Map<String, Map<List<String>, Integer>> byPodSet = new TreeMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      TopologyAssignment topology = podSet.topologyAssignment();
      if (topology != null) {
        PodPlacement placement = AssignmentCodec.decode(topology);
        Map<List<String>, Integer> pods = new HashMap<>();
        for (PodPlacement.Domain domain : placement.domains()) {
          List<String> name =
              placement.onHosts() ? List.of(domain.values().getLast()) : domain.values();
          pods.merge(name, domain.pods(), Integer::sum);
        }
        byPodSet.put(podSet.name(), pods);
      }
    }
    return byPodSet;
  }

  /** A reservation of the other scheduler. */
  static String sentence(Admission theirs) {
    return "reserved quota in " + text(theirs, true);
  }

  /** What we would do at our turn. */
  static String sentence(@Nullable Outcome ours) {
    if (ours == null) {
      return "would not consider it: others are before it in its queue, or it is in no queue";
    }
    Admission own = ours.change().after().admission();
    return switch (ours.decision()) {
      case Decision.Reserved _ when own != null -> "would reserve quota in " + text(own, true);
      case Decision.Preempting _ -> "would preempt " + names(Turns.victims(ours));
      default -> "would leave it waiting: " + DecisionMessages.of(ours.decision());
    };
  }

  /** A preemption. */
  static String preempted(Set<ObjectKey> victims) {
    return "preempted " + names(victims);
  }

  private static String names(Set<ObjectKey> victims) {
    String first =
        victims.stream().limit(MOST_NAMES).map(ObjectKey::toString).collect(joining(", "));
    return victims.isEmpty()
        ? "nobody"
        : victims.size() <= MOST_NAMES
            ? first
            : first + " and " + (victims.size() - MOST_NAMES) + " more";
  }

  private static String text(Admission admission, boolean withPlaces) {
    Map<String, Map<List<String>, Integer>> places = withPlaces ? places(admission) : Map.of();
    return admission.clusterQueue()
        + admission.podSetAssignments().stream()
            .map(it -> text(it, places.get(it.name())))
            .collect(joining("; ", " (", ")"));
  }

  private static String text(PodSetAssignment podSet, @Nullable Map<List<String>, Integer> places) {
    String flavors =
        new TreeMap<>(podSet.flavors())
            .entrySet().stream()
                .map(it -> it.getKey() + " of " + it.getValue())
                .collect(joining(", "));
    String where = "";
    if (places != null) {
      where =
          places.entrySet().stream()
              .map(it -> it.getValue() + " on " + String.join("/", it.getKey()))
              .sorted()
              .limit(MOST_NAMES)
              .collect(joining(", ", ", pods ", places.size() > MOST_NAMES ? ", ..." : ""));
    }
    Integer count = podSet.count();
    return podSet.name() + (count == null ? "" : " x" + count) + ": " + flavors + where;
  }
}
