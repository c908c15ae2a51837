package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.injection.Injections;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A group of which no Pod has joined yet. If its Workload is admitted already and all its Pods are
 * there, each joins and starts by one write; the plan of the group would start them by a second.
 *
 * @param workload of the group
 * @param members the Pods that are to join it
 * @param size how many Pods make it complete
 * @param context of this plan
 */
record WholeGroup(WorkloadView workload, List<GroupMember> members, int size, PlanContext context) {
  WholeGroup {
    members = List.copyOf(members);
  }

  /** What the Pods of each role start with; empty if the group waits, or is not whole. */
  Map<String, Injection> starts() {
    if (!isAdmitted() || !isWhole()) {
      return Map.of();
    }
    Injections injections = Injections.of(workload, context.world(), context.settings());
    if (injections.problem().isPresent() || injections.missing().isPresent()) {
      return Map.of(); // the plan of the group tells
    }
    Map<String, Injection> starts = new HashMap<>();
    for (Injection it : injections.list()) {
      if (count(it.podSet()) <= it.count()) {
        starts.put(it.podSet(), it);
      }
    }
    return starts.size() == injections.list().size() ? starts : Map.of();
  }

  private boolean isAdmitted() {
    return workload.isAdmitted()
        && !workload.isEvicted()
        && !workload.isFinished()
        && workload.isActive();
  }

  private boolean isWhole() {
    String namespace = workload.tree().path("metadata").path("namespace").asText();
    return members.size() == size
        && members.stream().allMatch(it -> waits(it.pod()))
        && context.world().podsOfGroup(namespace, workload.name()).isEmpty();
  }

  private static boolean waits(JsonNode pod) {
    return Pods.isGated(pod) && !Pods.isTerminal(pod) && !Pods.isDeleting(pod);
  }

  private long count(String role) {
    return members.stream().filter(it -> it.role().equals(role)).count();
  }
}
