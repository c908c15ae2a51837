package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Edits.edit;
import static dev.sluice.multicluster.protocol.Edits.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/** What a worker cluster does by itself: its scheduler and its Job controller. */
final class WorkerControllers {
  private static final String RESOURCE_IN_USE = "kueue.x-k8s.io/resource-in-use";

  private final WorkerCluster site;

  WorkerControllers(WorkerCluster site) {
    this.site = site;
  }

  /** One step of either. */
  void work(boolean mayFinish, Instant now) {
    Optional<JsonNode> there = site.ownCopy();
    Optional<JsonNode> job = site.ownJob();
    if (there.isEmpty()) {
      return; // a job without its Workload is never started
    }
    JsonNode copy = there.get();
    ObjectNode changed = copy.deepCopy();
    boolean isActive = copy.at("/spec/active").asBoolean(true);
    boolean isOwned = !copy.at("/metadata/ownerReferences").isEmpty();
    boolean runs = site.isRunning();
    if (copy.at("/metadata").has("deletionTimestamp")) {
      if (job.isEmpty()) {
        changed.withObjectProperty("metadata").remove("finalizers");
      } else if (runs) {
        stop(job.get(), now);
      }
    } else if (is(copy, "Finished")) {
      return;
    } else if (isOwned && job.isEmpty()) {
      Trees.condition(changed, "Finished", true, "OwnerNotFound");
    } else if (is(copy, "DeactivationTarget") && isActive) {
      changed.withObjectProperty("spec").put("active", false);
      Trees.condition(changed, "DeactivationTarget", false, "Evicted");
      Trees.condition(changed, "Evicted", true, "Deactivated");
    } else if (is(copy, "Evicted") && is(copy, "QuotaReserved")) {
      if (runs) {
        stop(job.orElseThrow(), now);
      } else {
        Trees.condition(changed, "QuotaReserved", false, "Pending");
        Trees.condition(changed, "Admitted", false, "NoReservation");
      }
    } else if (!is(copy, "QuotaReserved")) {
      if (isActive) {
        Trees.condition(changed, "QuotaReserved", true, "QuotaReserved");
        Trees.condition(changed, "Admitted", true, "Admitted");
        Trees.condition(changed, "Evicted", false, "QuotaReserved");
      }
    } else if (job.isPresent() && !isOwned) {
      adopt(changed, job.get());
    } else if (job.isPresent() && !runs) {
      start(job.get(), now);
    } else if (runs && mayFinish) {
      finish(job.orElseThrow(), now);
      Trees.condition(changed, "Finished", true, "Succeeded");
    }
    edit(site.objects, copy, changed, now);
  }

  private static void adopt(ObjectNode copy, JsonNode job) {
    ObjectNode metadata = copy.withObjectProperty("metadata");
    metadata.putArray("finalizers").add(RESOURCE_IN_USE);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", "j")
        .put("uid", job.at("/metadata/uid").asText())
        .put("controller", true);
  }

  private void start(JsonNode job, Instant now) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", false);
    changed.withObjectProperty("status").put("active", 3).put("startTime", now.toString());
    edit(site.objects, job, changed, now);
  }

  private void stop(JsonNode job, Instant now) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", true);
    changed.withObjectProperty("status").put("active", 0).remove("startTime");
    edit(site.objects, job, changed, now);
  }

  private void finish(JsonNode job, Instant now) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("status").put("active", 0);
    Trees.condition(changed, "Complete", true, "Done");
    edit(site.objects, job, changed, now);
  }

  void preempt(Instant now) {
    site.ownCopy()
        .filter(it -> is(it, "Admitted") && !is(it, "Evicted") && !is(it, "Finished"))
        .ifPresent(
            it -> {
              ObjectNode changed = it.deepCopy();
              Trees.condition(changed, "Evicted", true, "Preempted");
              edit(site.objects, it, changed, now);
            });
  }
}
