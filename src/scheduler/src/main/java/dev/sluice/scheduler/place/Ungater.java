package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.scheduler.write.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which pod of a workload goes where (reference: controllers 4.6). Pods that are numbered go
 * to the slots of the assignment in the order of their numbers; others to wherever room is left.
 * What was done stands in the pods: the same pods and the same assignment give the same writes, and
 * none when every pod has its place.
 */
final class Ungater {
  private Ungater() {}

  /** A PodSet, or a group of them, that shares a row of slots. */
  private record Row(List<String> levels, List<Slot> slots, List<Numbered> pods) {
    /** What of it is one PodSet's: room was looked for by what pods of that one need. */
    Row of(String podSet) {
      return new Row(
          levels,
          slots.stream().filter(it -> it.podSet().equals(podSet)).toList(),
          pods.stream().filter(it -> it.pod().podSet().equals(podSet)).toList());
    }
  }

  /** Room for one pod of a PodSet. */
  private record Slot(String podSet, List<String> values) {}

  /** A pod, and the number of its slot; empty where it has none. */
  private record Numbered(GatedPod pod, OptionalInt rank) {}

  /** What to write; nothing while the workload is not admitted. */
  static List<Write> plan(Workload workload, List<GatedPod> pods) {
    Admission admission = workload.status().admission();
    boolean holds = admission != null && QuotaHold.isHeldBy(workload);
    if (admission == null || !holds || !is(workload, "Admitted") || is(workload, "Evicted")) {
      return List.of();
    }
    List<String> failed =
        workload.status().unhealthyNodes().stream().map(UnhealthyNode::name).toList();
    List<Write> writes = new ArrayList<>();
    for (Row row : rows(workload, admission, pods)) {
      place(row, failed, writes);
    }
    return writes;
  }

  private static boolean is(Workload workload, String condition) {
    return workload.status().conditions().stream()
        .anyMatch(it -> it.type().equals(condition) && it.status() == ConditionStatus.TRUE);
  }

  private static List<Row> rows(Workload workload, Admission admission, List<GatedPod> pods) {
    Map<String, List<GatedPod>> bySet =
        pods.stream().filter(GatedPod::isLive).collect(Collectors.groupingBy(GatedPod::podSet));
    Map<String, List<PodSet>> groups = new LinkedHashMap<>();
    for (PodSet podSet : workload.spec().podSets()) {
      TopologyRequest request = podSet.topologyRequest();
      String group = request == null ? null : request.podSetGroupName();
      String key = group == null ? "set " + podSet.name() : "group " + group;
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(podSet);
    }
    List<Row> rows = new ArrayList<>();
    for (List<PodSet> group : groups.values()) {
      group.sort(Comparator.comparingInt(PodSet::count)); // a leader is one, and comes first
      Row row = row(group, admission, bySet);
      if (row != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static @Nullable Row row(
      List<PodSet> group, Admission admission, Map<String, List<GatedPod>> bySet) {
    List<String> levels = List.of();
    List<Slot> slots = new ArrayList<>();
    List<Numbered> pods = new ArrayList<>();
    for (PodSet podSet : group) {
      PodPlacement placement = placement(podSet.name(), admission);
      if (placement == null) {
        continue; // of no pods, such as workers of which there are none: the others have theirs
      }
      int before = slots.size();
      levels = placement.levels();
      for (PodPlacement.Domain domain : placement.domains()) {
        for (int i = 0; i < domain.pods(); i++) {
          slots.add(new Slot(podSet.name(), domain.values()));
        }
      }
      for (GatedPod pod : bySet.getOrDefault(podSet.name(), List.of())) {
        pods.add(new Numbered(pod, rank(pod, podSet, before, slots.size())));
      }
    }
    return slots.isEmpty() ? null : new Row(levels, slots, pods);
  }

  private static @Nullable PodPlacement placement(String podSet, Admission admission) {
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      if (assignment.name().equals(podSet) && assignment.topologyAssignment() != null) {
        return AssignmentCodec.decode(assignment.topologyAssignment());
      }
    }
    return null;
  }

  /**
   * The slot of a pod by its numbers, within those of its PodSet; empty where it is none of them.
   */
  private static OptionalInt rank(GatedPod pod, PodSet podSet, int from, int to) {
    TopologyRequest request = podSet.topologyRequest();
    if (request == null || request.podIndexLabel() == null) {
      return to - from == 1 ? OptionalInt.of(from) : OptionalInt.empty();
    }
    OptionalInt index = pod.number(request.podIndexLabel());
    if (index.isEmpty()) {
      return index;
    }
    long rank = from + (long) index.getAsInt() - pod.offset();
    if (request.subGroupIndexLabel() != null && request.subGroupCount() != null) {
      OptionalInt subGroup = pod.number(request.subGroupIndexLabel());
      if (subGroup.isEmpty() || request.subGroupCount() < 1) {
        return OptionalInt.empty();
      }
      rank += (long) subGroup.getAsInt() * (podSet.count() / request.subGroupCount());
    }
    return rank >= from && rank < to ? OptionalInt.of((int) rank) : OptionalInt.empty();
  }

  private static void place(Row row, List<String> failed, List<Write> writes) {
    boolean numbered = row.pods().stream().allMatch(it -> it.rank().isPresent());
    long distinct = row.pods().stream().map(Numbered::rank).distinct().count();
    if (numbered && distinct == row.pods().size() && inTheirSlots(row)) {
      byNumber(row, failed, writes);
    } else {
      row.slots().stream()
          .map(Slot::podSet)
          .distinct()
          .forEach(podSet -> whereRoomIs(row.of(podSet), failed, writes));
    }
  }

  /** Whether those that were placed before are where their numbers say. */
  private static boolean inTheirSlots(Row row) {
    return row.pods().stream()
        .filter(it -> it.pod().isPlaced())
        .allMatch(
            it -> it.pod().isIn(row.levels(), row.slots().get(it.rank().orElseThrow()).values()));
  }

  private static void byNumber(Row row, List<String> failed, List<Write> writes) {
    for (Numbered it : row.pods()) {
      Slot slot = row.slots().get(it.rank().orElseThrow());
      if (it.pod().isGated() && !isOn(failed, slot)) {
        writes.add(it.pod().place(row.levels(), slot.values()));
      }
    }
  }

  private static void whereRoomIs(Row row, List<String> failed, List<Write> writes) {
    Map<List<String>, Integer> room = new LinkedHashMap<>();
    row.slots().forEach(slot -> room.merge(slot.values(), 1, Integer::sum));
    for (Numbered it : row.pods()) {
      if (!it.pod().isGated()) {
        take(it.pod(), row.levels(), room);
      }
    }
    Map<List<String>, Integer> left = new HashMap<>(room);
    List<List<String>> places = new ArrayList<>();
    for (Slot slot : row.slots()) {
      if (left.merge(slot.values(), -1, Integer::sum) >= 0 && !isOn(failed, slot)) {
        places.add(slot.values());
      }
    }
    List<GatedPod> waiting =
        row.pods().stream()
            .map(Numbered::pod)
            .filter(GatedPod::isGated)
            .sorted(Comparator.comparing(GatedPod::name))
            .toList();
    for (int i = 0; i < Math.min(waiting.size(), places.size()); i++) {
      writes.add(waiting.get(i).place(row.levels(), places.get(i)));
    }
  }

  private static void take(GatedPod pod, List<String> levels, Map<List<String>, Integer> room) {
    for (Map.Entry<List<String>, Integer> domain : room.entrySet()) {
      if (pod.isIn(levels, domain.getKey())) {
        domain.setValue(domain.getValue() - 1);
        return;
      }
    }
  }

  private static boolean isOn(List<String> failed, Slot slot) {
    return !slot.values().isEmpty() && failed.contains(slot.values().getLast());
  }

  /** The pods of a workload, among these. */
  static List<GatedPod> of(String workload, List<JsonNode> pods) {
    return pods.stream().map(GatedPod::new).filter(it -> it.workload().equals(workload)).toList();
  }
}
