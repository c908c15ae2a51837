package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.serving.GroupPlace;
import dev.sluice.jobs.serving.ServingPods;
import dev.sluice.jobs.serving.ServingSet;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A LeaderWorkerSet: each of its replicas is a group of Pods that serves, with a Workload of its
 * own. One thread, one plan.
 */
final class LeaderWorkerSetReconciler {
  static final GroupVersionKind KIND = Framework.LEADER_WORKER_SET.type();
  static final String PARENT = Framework.LEADER_WORKER_SET.frameworkName();
  static final String REPORTER = "leaderworkerset-kueue-controller";

  /** The others are created once these are observed. */
  private static final int MOST_CREATED = 100;

  private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";
  private static final GroupKind STATEFUL_SET = Framework.STATEFUL_SET.type().groupKind();

  private final PlanContext context;
  private final Writes writes;
  private final ServingSet set;
  private final Replicas replicas;

  LeaderWorkerSetReconciler(JsonNode tree, PlanContext context, Writes writes) {
    this.context = context;
    this.writes = writes;
    this.set = new ServingSet(KIND, PARENT, tree, context, writes);
    this.replicas = new Replicas(tree);
  }

  /** Plans the next writes, and returns when to plan again without a change. */
  Optional<Instant> plan() {
    if (set.isQueued(replicas.workerTemplate())) {
      planReplicas();
    }
    return set.again();
  }

  private void planReplicas() {
    List<PodSetShape> podSets = replicas.podSets();
    Map<Integer, WorkloadView> workloads = workloads();
    Map<Integer, WorkloadView> groups = new HashMap<>();
    workloads.forEach(
        (index, workload) -> {
          if (planWith(index, workload, podSets)) {
            groups.put(index, workload);
          }
        });
    int created = 0;
    for (int i = 0; i < replicas.count() && created < MOST_CREATED; i++) {
      if (!workloads.containsKey(i)) {
        set.create(name(i), podSets, annotations(i));
        created++;
      }
    }
    planPods(groups);
  }

  private String name(int index) {
    return set.names(set.name() + "-" + index).getFirst();
  }

  private static Map<String, String> annotations(int index) {
    return Map.of(Annotations.COMPONENT_WORKLOAD_INDEX, Integer.toString(index));
  }

  /** The Workloads of its replicas, by index; surplus ones are deleted. */
  private Map<Integer, WorkloadView> workloads() {
    Map<Integer, WorkloadView> workloads = new HashMap<>();
    List<WorkloadView> surplus = new ArrayList<>();
    for (WorkloadView workload : set.owned()) {
      int index = Replicas.index(workload.tree()).orElse(-1);
      boolean isOne = index >= 0 && index < replicas.count();
      if (!isOne || workloads.putIfAbsent(index, workload) != null) {
        surplus.add(workload);
      }
    }
    for (int i = 0; i < replicas.count(); i++) {
      if (!workloads.containsKey(i)) { // it may have lost its owner or its index
        Optional<WorkloadView> lost = set.find(List.of(name(i)));
        if (lost.isPresent()) {
          workloads.put(i, lost.get());
        }
      }
    }
    Set<String> kept =
        workloads.values().stream().map(WorkloadView::name).collect(Collectors.toSet());
    surplus.stream().filter(it -> !kept.contains(it.name())).forEach(this::delete);
    return workloads;
  }

  /**
   * Creates or updates the Workload of a replica.
   *
   * @return whether Pods may join its group
   */
  private boolean planWith(int index, WorkloadView workload, List<PodSetShape> podSets) {
    if (workload.meta().isBeingDeleted()) {
      set.release(workload);
      return false;
    }
    if (set.follow(workload, podSets, annotations(index))) {
      return false;
    }
    if (!isFor(podSets, workload)) {
      delete(workload); // it is created again with the new size
      return false;
    }
    return true;
  }

  private static boolean isFor(List<PodSetShape> podSets, WorkloadView workload) {
    List<JsonNode> there = workload.podSets();
    if (there.size() != podSets.size()) {
      return false;
    }
    for (int i = 0; i < there.size(); i++) {
      if (there.get(i).path("count").asInt(1) != podSets.get(i).count()) {
        return false;
      }
    }
    return true;
  }

  private void delete(WorkloadView workload) {
    if (!workload.hasReservation() || !set.runs(workload)) {
      WorkloadFinalizer.delete(workload, writes);
    }
  }

  /** The leaders are made by one StatefulSet, the workers of each by one that it owns. */
  private void planPods(Map<Integer, WorkloadView> groups) {
    for (JsonNode leaders : controlledBy(STATEFUL_SET, set.meta().uid())) {
      for (JsonNode leader : controlledBy(JobKey.POD, JobObject.of(leaders).uid())) {
        planPod(leader, leaders, replicas.leaderRole(), groups);
        for (JsonNode workers : controlledBy(STATEFUL_SET, JobObject.of(leader).uid())) {
          for (JsonNode worker : controlledBy(JobKey.POD, JobObject.of(workers).uid())) {
            planPod(worker, workers, replicas.workerRole(), groups);
          }
        }
      }
    }
  }

  private List<JsonNode> controlledBy(GroupKind kind, String uid) {
    return context.world().controlledBy(kind, set.namespace(), uid);
  }

  private void planPod(
      JsonNode pod, JsonNode maker, String role, Map<Integer, WorkloadView> groups) {
    WorkloadView group =
        groups.get(Replicas.index(JobObject.of(pod).labelText(GROUP_INDEX)).orElse(-1));
    if (group != null) {
      ServingPods members = set.pods();
      boolean isElsewhere = context.world().remoteStop(group.tree()).isElsewhere();
      members.plan(
          pod, maker, new GroupPlace(group.name(), role, replicas.size(), Map.of(), isElsewhere));
    }
  }
}
