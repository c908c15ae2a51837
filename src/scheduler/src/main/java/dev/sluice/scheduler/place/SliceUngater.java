package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.scheduler.jobwork.Index;
import dev.sluice.scheduler.write.Write;
import dev.sluice.webhook.rules.jobs.Keys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Says which pods of a job that grew may start (reference: controllers 2.9): as many of each PodSet
 * as its workload has quota for, counting those that were let go before. What was done stands in
 * the pods.
 */
final class SliceUngater {
  private static final Comparator<JsonNode> BY_AGE =
      Comparator.<JsonNode, String>comparing(it -> it.at("/metadata/creationTimestamp").asText())
          .thenComparing(it -> it.at("/metadata/uid").asText());

  private SliceUngater() {}

  /** The first of the workloads that this one took over from; empty if it is of no such row. */
  static String origin(JsonNode workload) {
    return workload.at("/metadata/annotations").path(Keys.SLICE_NAME).asText();
  }

  /**
   * The newest that has quota and is admitted: by what it has, pods may start. Of those made in the
   * same second, the one that takes over from the other is newer.
   */
  static Optional<JsonNode> newest(List<JsonNode> chain) {
    List<JsonNode> admitted =
        chain.stream()
            .filter(it -> is(it, "QuotaReserved") && is(it, "Admitted"))
            .filter(it -> !is(it, "Evicted") && !is(it, "Finished"))
            .toList();
    return admitted.stream()
        .filter(old -> admitted.stream().noneMatch(it -> replaces(it, old)))
        .max(BY_AGE);
  }

  private static boolean replaces(JsonNode slice, JsonNode old) {
    return slice
        .at("/metadata/annotations")
        .path(Keys.SLICE_REPLACES)
        .asText()
        .equals(Index.key(old).toString());
  }

  private static boolean is(JsonNode workload, String type) {
    return workload
        .at("/status/conditions")
        .valueStream()
        .anyMatch(
            it ->
                it.path("type").asText().equals(type) && it.path("status").asText().equals("True"));
  }

  /** What to write. */
  static List<Write> plan(Workload workload, List<GatedPod> pods) {
    Admission admission = workload.status().admission();
    List<Write> writes = new ArrayList<>();
    if (admission != null) {
      for (PodSet podSet : workload.spec().podSets()) {
        letGo(
            granted(podSet, admission),
            pods.stream().filter(it -> it.podSet().equals(podSet.name())).toList(),
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

  private static void letGo(int granted, List<GatedPod> pods, List<Write> writes) {
    long going = pods.stream().filter(it -> it.isLive() && !it.isHeldForSlice()).count();
    pods.stream()
        .filter(GatedPod::waitsForSlice)
        .sorted(Comparator.comparing(GatedPod::name))
        .limit(Math.max(0, granted - going))
        .forEach(it -> writes.add(it.letGo()));
  }
}
