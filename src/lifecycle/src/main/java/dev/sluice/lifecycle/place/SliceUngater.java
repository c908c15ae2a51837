package dev.sluice.lifecycle.place;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.PodSetUpdate;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Selects the pods of an elastic job to ungate: as many of each PodSet as its workload has quota
 * for, including those already ungated. All state is in the pods.
 */
public final class SliceUngater {
  private SliceUngater() {}

  /** What to write. */
  public static List<Write> plan(Workload workload, List<GatedPod> pods) {
    Admission admission = workload.status().admission();
    List<Write> writes = new ArrayList<>();
    if (admission != null && QuotaHold.isHeldBy(workload)) {
      for (PodSet podSet : workload.spec().podSets()) {
        letGo(
            granted(podSet, admission),
            pods.stream().filter(it -> it.podSet().equals(podSet.name())).toList(),
            updates(workload, podSet),
            writes);
      }
    }
    return writes;
  }

  /** Less than was assigned where the job shrank since. */
  private static int granted(PodSet podSet, Admission admission) {
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      Integer count = assignment.count();
      if (assignment.name().equals(podSet.name())) {
        return count == null ? podSet.count() : Math.min(count, podSet.count());
      }
    }
    return 0;
  }

  /** What the checks of the workload add to the pods of a set. */
  private static List<PodSetUpdate> updates(Workload workload, PodSet podSet) {
    return workload.status().admissionChecks().stream()
        .flatMap(it -> it.podSetUpdates().stream())
        .filter(it -> it.name().equals(podSet.name()))
        .toList();
  }

  private static void letGo(
      int granted, List<GatedPod> pods, List<PodSetUpdate> updates, List<Write> writes) {
    long going = pods.stream().filter(it -> it.isLive() && !it.isHeldForSlice()).count();
    pods.stream()
        .filter(GatedPod::waitsForSlice)
        .sorted(Comparator.comparing(GatedPod::name))
        .flatMap(it -> it.letGo(updates).stream())
        .limit(Math.max(0, granted - going))
        .forEach(writes::add);
  }
}
