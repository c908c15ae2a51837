package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The Pods of each set of a Workload whose quota others may have, since the job needs them no more.
 *
 * <p>A number never goes down while the Workload has its quota: others may have what was given
 * back. A job that shrank is the exception: its Workload then asks for fewer Pods than it was
 * admitted with, and what was given back may be among those that it has no more. The number is then
 * what the job needs no more of the Pods that are left.
 */
record Reclaimable(Job job, WorkloadView workload, JobSettings settings) {
  static final String FIELD = "reclaimablePods";

  /** By Pod set, as it stands in the Workload; a Pod set without any is left out. */
  Map<String, Integer> before() {
    Map<String, Integer> before = new LinkedHashMap<>();
    for (JsonNode it : workload.tree().path("status").path(FIELD)) {
      if (it.path("count").asInt() > 0) {
        before.put(it.path("name").asText(), it.path("count").asInt());
      }
    }
    return before;
  }

  /** By Pod set, as it is to stand there; a Pod set without any is left out. */
  Map<String, Integer> counts() {
    Map<String, Integer> given = job.reclaimable();
    Map<String, Integer> before = before();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (JsonNode podSet : workload.podSets()) {
      String name = podSet.path("name").asText("main");
      int pods = podSet.path("count").asInt(1);
      int needless = given.getOrDefault(name, 0) - beyond(name, pods);
      int least = isScaledDown(name, pods) ? 0 : before.getOrDefault(name, 0);
      int count = Math.min(pods, Math.max(least, needless));
      if (count > 0) {
        counts.put(name, count);
      }
    }
    return counts;
  }

  /** How many Pods the job wants beyond those of this Workload: another one is to have them. */
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
