package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reclaimable Pods of each set of a Workload: the job no longer needs them, and their quota is
 * released.
 *
 * <p>A number never decreases while the Workload has its quota: others may already use the released
 * quota. The exception is a job that was scaled down: its Workload then requests fewer Pods than it
 * was admitted with, which may include the reclaimed ones. The number then counts the remaining
 * Pods that are not needed.
 */
record Reclaimable(Job job, WorkloadView workload, JobSettings settings) {
  static final String FIELD = "reclaimablePods";

  /** By Pod set, as stored in the Workload; a Pod set without any is left out. */
  Map<String, Integer> before() {
    Map<String, Integer> before = new LinkedHashMap<>();
    for (JsonNode it : workload.tree().path("status").path(FIELD)) {
      if (it.path("count").asInt() > 0) {
        before.put(it.path("name").asText(), it.path("count").asInt());
      }
    }
    return before;
  }

  /** By Pod set, as it should be stored; a Pod set without any is left out. */
  Map<String, Integer> counts() {
    Map<String, Integer> given = job.reclaimable();
    Map<String, Integer> before = before();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (JsonNode podSet : workload.podSets()) {
      String name = podSet.path("name").asText("main");
      int pods = podSet.path("count").asInt(1);
      int needless = given.getOrDefault(name, 0) - beyond(name, pods);
      boolean mayFall = !workload.hasReservation() || isScaledDown(name, pods);
      int least = mayFall ? 0 : before.getOrDefault(name, 0);
      int count = Math.min(pods, Math.max(least, needless));
      if (count > 0) {
        counts.put(name, count);
      }
    }
    return counts;
  }

  /** The number of Pods of the job beyond those of this Workload: another slice will have them. */
  private int beyond(String podSet, int pods) {
    return !Slices.areFor(job, settings)
        ? 0
        : job.podSets().stream()
            .filter(it -> it.name().equals(podSet))
            .mapToInt(it -> Math.max(0, it.count() - pods))
            .sum();
  }

  private boolean isScaledDown(String podSet, int pods) {
    return Slices.areFor(job, settings)
        && workload.assignment(podSet).filter(it -> it.path("count").asInt() > pods).isPresent();
  }
}
