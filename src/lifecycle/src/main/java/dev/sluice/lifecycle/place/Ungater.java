package dev.sluice.lifecycle.place;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the pods of a workload to domains. Indexed pods go to the slots of the assignment in the
 * order of their indexes; others to any free slot. All state is in the pods: the same pods and the
 * same assignment give the same writes, and none when every pod has its place.
 */
public final class Ungater {
  private Ungater() {}

  /** A PodSet, or a group of them, that shares a row of slots. */
  private record Row(List<String> levels, List<Stretch> stretches, List<Numbered> pods) {
    /** The part of one PodSet: its room was computed from the requests of its pods. */
    Row of(String podSet) {
      return new Row(
          levels,
          stretches.stream().filter(it -> it.podSet().equals(podSet)).toList(),
          pods.stream().filter(it -> it.pod().podSet().equals(podSet)).toList());
    }

    /** The domain that has the slot of that number. */
    Stretch at(long slot) {
      int low = 0;
      int high = stretches.size() - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (stretches.get(middle).end() > slot) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return stretches.get(low);
    }
  }

  /**
   * The slots of one domain, each of which is room for one pod of a PodSet. They are counted, not
   * made: there may be two billion.
   *
   * @param end the number of the first slot behind them
   */
  private record Stretch(String podSet, List<String> values, int slots, long end) {}

  /** A pod, and the number of its slot; empty where it has none. */
  private record Numbered(GatedPod pod, OptionalLong rank) {}

  /** What to write; nothing while the workload is not admitted. */
  public static List<Write> plan(Workload workload, List<GatedPod> pods) {
    Admission admission = workload.status().admission();
    boolean holds = admission != null && QuotaHold.isHeldBy(workload);
    if (admission == null
        || !holds
        || !workload.status().isTrue(ADMITTED)
        || workload.status().isTrue(EVICTED)) {
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
    List<Stretch> stretches = new ArrayList<>();
    List<Numbered> pods = new ArrayList<>();
    long end = 0;
    for (PodSet podSet : group) {
      PodPlacement placement = placement(podSet, admission);
      if (placement == null) {
        continue; // of no pods, such as workers of which there are none: the others have theirs
      }
      long before = end;
      levels = placement.levels();
      for (PodPlacement.Domain domain : placement.domains()) {
        end += domain.pods();
        stretches.add(new Stretch(podSet.name(), domain.values(), domain.pods(), end));
      }
      long first = isNumbered(pods, podSet) ? 0 : before;
      for (GatedPod pod : bySet.getOrDefault(podSet.name(), List.of())) {
        pods.add(new Numbered(pod, rank(pod, podSet, first, before, end)));
      }
    }
    return stretches.isEmpty() ? null : new Row(levels, stretches, pods);
  }

  private static @Nullable PodPlacement placement(PodSet podSet, Admission admission) {
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      if (assignment.name().equals(podSet.name()) && assignment.topologyAssignment() != null) {
        return AssignmentCodec.held(assignment, podSet);
      }
    }
    return null;
  }

  /**
   * Whether the leader of these pods has a number by the same label: then it has the first number
   * of the group, as in a LeaderWorkerSet, and those of the others go on from there.
   */
  private static boolean isNumbered(List<Numbered> leaders, PodSet followers) {
    TopologyRequest request = followers.topologyRequest();
    String label = request == null ? null : request.podIndexLabel();
    return label != null && leaders.stream().anyMatch(it -> it.pod().number(label).isPresent());
  }

  /**
   * The slot of a pod by its numbers, within those of its PodSet; empty where it is none of them.
   *
   * @param first the slot that the number 0 stands for
   */
  private static OptionalLong rank(GatedPod pod, PodSet podSet, long first, long from, long to) {
    TopologyRequest request = podSet.topologyRequest();
    if (request == null || request.podIndexLabel() == null) {
      return to - from == 1 ? OptionalLong.of(from) : OptionalLong.empty();
    }
    OptionalInt index = pod.number(request.podIndexLabel());
    if (index.isEmpty()) {
      return OptionalLong.empty();
    }
    long rank = first + index.getAsInt() - pod.offset();
    if (request.subGroupIndexLabel() != null && request.subGroupCount() != null) {
      OptionalInt subGroup = pod.number(request.subGroupIndexLabel());
      if (subGroup.isEmpty() || request.subGroupCount() < 1) {
        return OptionalLong.empty();
      }
      rank += (long) subGroup.getAsInt() * (podSet.count() / request.subGroupCount());
    }
    return rank >= from && rank < to ? OptionalLong.of(rank) : OptionalLong.empty();
  }

  private static void place(Row row, List<String> failed, List<Write> writes) {
    boolean numbered = row.pods().stream().allMatch(it -> it.rank().isPresent());
    long distinct = row.pods().stream().map(Numbered::rank).distinct().count();
    if (numbered && distinct == row.pods().size() && inTheirSlots(row)) {
      byNumber(row, failed, writes);
    } else {
      row.stretches().stream()
          .map(Stretch::podSet)
          .distinct()
          .forEach(podSet -> whereRoomIs(row.of(podSet), failed, writes));
    }
  }

  /** Whether the already placed pods are where their indexes say. */
  private static boolean inTheirSlots(Row row) {
    return row.pods().stream()
        .filter(it -> it.pod().isPlaced())
        .allMatch(it -> it.pod().isIn(row.levels(), row.at(it.rank().orElseThrow()).values()));
  }

  private static void byNumber(Row row, List<String> failed, List<Write> writes) {
    for (Numbered it : row.pods()) {
      Stretch stretch = row.at(it.rank().orElseThrow());
      if (it.pod().isGated() && !isOn(failed, stretch)) {
        writes.add(it.pod().place(row.levels(), stretch.values()));
      }
    }
  }

  private static void whereRoomIs(Row row, List<String> failed, List<Write> writes) {
    List<GatedPod> waiting =
        row.pods().stream()
            .map(Numbered::pod)
            .filter(GatedPod::isGated)
            .sorted(Comparator.comparing(GatedPod::name))
            .toList();
    if (waiting.isEmpty()) {
      return;
    }
    Map<List<String>, Long> room = room(row);
    int placed = 0;
    for (Stretch stretch : row.stretches()) {
      long left = room.getOrDefault(stretch.values(), 0L);
      room.put(stretch.values(), left - stretch.slots());
      long most = isOn(failed, stretch) ? 0 : Math.min(left, stretch.slots());
      for (long i = 0; i < most && placed < waiting.size(); i++) {
        writes.add(waiting.get(placed++).place(row.levels(), stretch.values()));
      }
    }
  }

  /** The slots of each domain that no pod has. */
  private static Map<List<String>, Long> room(Row row) {
    Map<List<String>, Long> room = new HashMap<>();
    row.stretches().forEach(it -> room.merge(it.values(), (long) it.slots(), Long::sum));
    for (Numbered it : row.pods()) {
      if (!it.pod().isGated()) {
        room.computeIfPresent(it.pod().domain(row.levels()), (_, slots) -> slots - 1);
      }
    }
    return room;
  }

  private static boolean isOn(List<String> failed, Stretch stretch) {
    return !stretch.values().isEmpty() && failed.contains(stretch.values().getLast());
  }

  /** The pods of a workload, among these. */
  static List<GatedPod> of(String workload, List<JsonNode> pods) {
    return pods.stream().map(GatedPod::new).filter(it -> it.workload().equals(workload)).toList();
  }
}
