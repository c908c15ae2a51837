package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the schedulers of all clusters and their controllers of Jobs do with some Jobs. A test calls
 * for each step. For one thread.
 */
final class Schedulers {
  private final InMemoryFleet fleet;
  private final List<String> workers;
  private final List<String> jobs;

  /** The workers that admit what is offered to them. */
  List<String> admitting;

  private final List<Start> starts = new ArrayList<>();

  /** Whether Jobs that run end. */
  boolean areEnding = true;

  /**
   * Nothing is done yet.
   *
   * @param workers in the order in which they admit
   */
  Schedulers(InMemoryFleet fleet, List<String> workers, List<String> jobs) {
    this.fleet = fleet;
    this.workers = workers;
    this.admitting = workers;
    this.jobs = jobs;
  }

  /** A Job was started there. */
  record Start(String worker, String job, String uid) {}

  /** The starts of Jobs so far, in order. */
  List<Start> starts() {
    return List.copyOf(starts);
  }

  /** The workers on which the Job of that name was started, in order. */
  List<String> starts(String job) {
    return starts.stream().filter(it -> it.job().equals(job)).map(Start::worker).toList();
  }

  void step() {
    for (String job : jobs) {
      workers.forEach(it -> worker(it, job));
      manager(job);
    }
  }

  private void worker(String name, String job) {
    MemoryObjects objects = fleet.worker(name).objects();
    String workload = Clusters.WORKLOADS + "/" + job;
    Optional<JsonNode> copy = objects.find(workload);
    if (copy.isEmpty()) {
      return;
    }
    if (Conditions.isTrue(copy.get(), "DeactivationTarget")) {
      stop(fleet, name, job);
    } else if (!Conditions.isTrue(copy.get(), "Admitted")) {
      if (admitting.contains(name)) {
        fleet.admit(name, job);
      }
    } else {
      objects.find(Clusters.JOBS + "/" + job).ifPresent(it -> run(name, job, it));
    }
  }

  private void run(String name, String job, JsonNode there) {
    MemoryObjects objects = fleet.worker(name).objects();
    String path = Clusters.JOBS + "/" + job;
    if (there.at("/spec/suspend").asBoolean()) {
      starts.add(new Start(name, job, there.at("/metadata/uid").asText()));
      objects.edit(
          path,
          it -> {
            it.withObjectProperty("spec").put("suspend", false);
            it.withObjectProperty("status").put("active", 1);
          });
    } else if (areEnding && there.at("/status/succeeded").isMissingNode()) {
      objects.edit(
          path,
          it -> {
            it.withObjectProperty("status").put("active", 0).put("succeeded", 1);
            DeletionMatrixTest.condition(it, "Complete", "True", "CompletionsReached");
          });
      objects.edit(
          Clusters.WORKLOADS + "/" + job,
          it -> DeletionMatrixTest.condition(it, "Finished", "True", "Succeeded"));
    }
  }

  private void manager(String job) {
    MemoryObjects objects = fleet.clusters.manager.objects();
    String path = Clusters.WORKLOADS + "/" + job;
    Optional<JsonNode> found = objects.find(path);
    if (found.isEmpty() || Conditions.isTrue(found.get(), "Finished")) {
      return;
    }
    String check = found.get().at("/status/admissionChecks/0/state").asText();
    if (Conditions.isTrue(found.get(), "Evicted")) {
      if (workers.stream().allMatch(it -> isAway(it, job))) {
        requeue(fleet, job);
      }
    } else if (check.equals("Retry")) {
      objects.edit(
          path, it -> DeletionMatrixTest.condition(it, "Evicted", "True", "AdmissionCheck"));
      suspend(true, job);
    } else if (check.equals("Ready") && !Conditions.isTrue(found.get(), "Admitted")) {
      objects.edit(path, it -> DeletionMatrixTest.condition(it, "Admitted", "True", "Admitted"));
      suspend(false, job);
    }
  }

  private void suspend(boolean isSuspended, String job) {
    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.JOBS + "/" + job,
            it -> it.withObjectProperty("spec").put("suspend", isSuspended));
  }

  private boolean isAway(String worker, String job) {
    return !fleet.has(worker, Clusters.WORKLOADS + "/" + job)
        && !fleet.has(worker, Clusters.JOBS + "/" + job);
  }

  /** Whether all Jobs have finished for the manager, and nothing of them is on a worker. */
  boolean areOver() {
    return jobs.stream().allMatch(this::isOver);
  }

  private boolean isOver(String job) {
    return Conditions.isTrue(fleet.workload(job), "Finished")
        && workers.stream().allMatch(it -> isAway(it, job));
  }

  /** The scheduler of a worker stops a Job once its manager asks for that. */
  static void stop(InMemoryFleet fleet, String worker, String job) {
    MemoryObjects objects = fleet.worker(worker).objects();
    String workload = Clusters.WORKLOADS + "/" + job;
    boolean isAsked =
        objects
            .find(workload)
            .filter(it -> Conditions.isTrue(it, "DeactivationTarget"))
            .filter(it -> !Conditions.isTrue(it, "Evicted"))
            .isPresent();
    if (!isAsked) {
      return;
    }
    if (fleet.has(worker, Clusters.JOBS + "/" + job)) {
      objects.edit(
          Clusters.JOBS + "/" + job,
          it -> {
            it.withObjectProperty("spec").put("suspend", true);
            it.withObjectProperty("status").put("active", 0);
          });
    }
    objects.edit(workload, it -> evict(it, "Deactivated"));
  }

  /** The scheduler of the manager takes the quota of a Workload, at the end of an eviction. */
  static void takeQuota(InMemoryFleet fleet, String workload) {
    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + workload,
            it -> {
              evict(it, "Preempted");
              ObjectNode status = it.withObjectProperty("status");
              status.remove(List.of("admission", "clusterName", "nominatedClusterNames"));
              check(status).put("state", "Pending").put("message", "");
              int before = status.at("/schedulingStats/evictions/0/count").asInt();
              status
                  .putObject("schedulingStats")
                  .putArray("evictions")
                  .addObject()
                  .put("reason", "Preempted")
                  .put("underlyingCause", "")
                  .put("count", before + 1);
            });
  }

  private static void evict(ObjectNode workload, String reason) {
    DeletionMatrixTest.condition(workload, "Evicted", "True", reason);
    DeletionMatrixTest.condition(workload, "QuotaReserved", "False", "Pending");
    DeletionMatrixTest.condition(workload, "Admitted", "False", "NoReservation");
  }

  private static ObjectNode check(ObjectNode status) {
    return (ObjectNode) status.withArrayProperty("admissionChecks").get(0);
  }

  /** The scheduler of the manager takes the quota, and reserves it again. */
  static void requeue(InMemoryFleet fleet, String workload) {
    takeQuota(fleet, workload);
    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + workload,
            it -> {
              DeletionMatrixTest.condition(it, "Evicted", "False", "QuotaReserved");
              DeletionMatrixTest.condition(it, "QuotaReserved", "True", "QuotaReserved");
              it.withObjectProperty("status")
                  .putObject("admission")
                  .put("clusterQueue", "cq")
                  .putArray("podSetAssignments")
                  .addObject()
                  .put("name", "main");
            });
  }
}
