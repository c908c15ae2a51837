package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Edits.edit;
import static dev.sluice.multicluster.protocol.Edits.is;
import static dev.sluice.multicluster.protocol.Edits.suspend;
import static dev.sluice.multicluster.protocol.WorkerCluster.JOB;
import static dev.sluice.multicluster.protocol.WorkerCluster.JOBS;
import static dev.sluice.multicluster.protocol.WorkerCluster.JOB_KEY;
import static dev.sluice.multicluster.protocol.WorkerCluster.WORKLOADS;
import static dev.sluice.multicluster.protocol.WorkerCluster.WORKLOAD_KEY;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The manager's API server, its scheduler and its users. */
final class ManagerCluster {
  final InMemoryObjects objects = new InMemoryObjects(this::changed);
  private final List<WorkerCluster> workers;
  private String cluster = "";
  private int lives;

  ManagerCluster(List<WorkerCluster> workers) {
    this.workers = workers;
  }

  Optional<JsonNode> job() {
    return objects.find(JOBS, "ns", "j");
  }

  /** A Job and its Workload, as the manager's scheduler makes them. */
  void addJob(Instant now) {
    lives++;
    Scene scene = new Scene();
    ObjectNode job = scene.job.deepCopy();
    job.withObjectProperty("metadata").put("uid", "j-uid-" + lives).remove("resourceVersion");
    objects.put(JOB, job, now);
    ObjectNode workload = scene.workload.deepCopy();
    workload.withObjectProperty("metadata").put("uid", "w-uid-" + lives).remove("resourceVersion");
    workload.withObjectProperty("metadata").remove("finalizers");
    ((ObjectNode) workload.at("/metadata/ownerReferences/0")).put("uid", "j-uid-" + lives);
    objects.put(WorkloadView.TYPE, workload, now);
    cluster = "";
  }

  Optional<JsonNode> workload() {
    return objects.find(WORKLOADS, "ns", "job-j");
  }

  private void changed(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after) {
    if (!kind.equals(WORKLOADS)) {
      return;
    }
    if (after.isEmpty()) {
      cluster = "";
      return;
    }
    String next = after.get().at("/status/clusterName").asText("");
    if (!cluster.isEmpty() && !next.isEmpty() && !cluster.equals(next)) {
      throw new BrokenLaw("clusterName changed from " + cluster + " to " + next);
    }
    cluster = next;
    boolean wasFinished = before.filter(it -> Conditions.isTrue(it, "Finished")).isPresent();
    if (wasFinished && !Conditions.isTrue(after.get(), "Finished")) {
      throw new BrokenLaw("it was finished and is not any more");
    }
  }

  /**
   * One step of the scheduler.
   *
   * @param certainAt the version of the Workload at which no worker can run it any more
   */
  void schedule(String certainAt, Instant now) {
    Optional<JsonNode> present = workload();
    if (present.isEmpty()) {
      return;
    }
    JsonNode workload = present.get();
    ObjectNode changed = workload.deepCopy();
    String check = workload.at("/status/admissionChecks/0/state").asText();
    if (is(workload, "Finished")) {
      return;
    }
    if (is(workload, "Evicted") && is(workload, "QuotaReserved")) {
      if (certainAt.equals(workload.at("/metadata/resourceVersion").asText())) {
        giveBack(changed);
      }
    } else if (!is(workload, "QuotaReserved")) {
      Trees.condition(changed, "QuotaReserved", true, "QuotaReserved");
      Trees.condition(changed, "Evicted", false, "QuotaReserved");
    } else if (check.equals("Retry") || check.equals("Rejected")) {
      evict(changed, "AdmissionCheck", now);
    } else if (check.equals("Ready") && !is(workload, "Admitted")) {
      Trees.condition(changed, "Admitted", true, "Admitted");
      objects.find(JOBS, "ns", "j").ifPresent(it -> suspend(objects, it, false, now));
    }
    edit(objects, workload, changed, now);
  }

  private void giveBack(ObjectNode changed) {
    for (WorkerCluster site : workers) {
      if (site.isUp && site.isRunning() && !site.isExcused) {
        throw new BrokenLaw("quota is given back while " + site.name + " runs it");
      }
    }
    Trees.condition(changed, "QuotaReserved", false, "Pending");
    Trees.condition(changed, "Admitted", false, "NoReservation");
  }

  private void evict(ObjectNode changed, String reason, Instant now) {
    Trees.condition(changed, "Evicted", true, reason, "evicted for " + reason, now.toString());
    ObjectNode status = changed.withObjectProperty("status");
    status.remove(List.of("clusterName", "nominatedClusterNames"));
    ((ObjectNode) changed.at("/status/admissionChecks/0"))
        .put("state", "Pending")
        .put("message", "");
    var counts = status.withObjectProperty("schedulingStats").withArrayProperty("evictions");
    int count = counts.isEmpty() ? 0 : counts.get(0).path("count").asInt();
    counts.removeAll();
    counts.addObject().put("reason", reason).put("underlyingCause", "").put("count", count + 1);
    objects.find(JOBS, "ns", "j").ifPresent(it -> suspend(objects, it, true, now));
  }

  void preempt(Instant now) {
    workload()
        .filter(it -> is(it, "QuotaReserved") && !is(it, "Evicted") && !is(it, "Finished"))
        .ifPresent(
            it -> {
              ObjectNode changed = it.deepCopy();
              evict(changed, "Preempted", now);
              edit(objects, it, changed, now);
            });
  }

  void delete(Instant now) {
    objects.delete(JOBS, JOB_KEY, now);
    objects.delete(WORKLOADS, WORKLOAD_KEY, now);
  }
}
