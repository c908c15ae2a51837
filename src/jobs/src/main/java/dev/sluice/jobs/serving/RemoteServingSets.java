package dev.sluice.jobs.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.CopiedFields;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.List;
import java.util.Optional;

/**
 * Objects on other clusters whose Pods wait in groups that serve. Here the object stays as well,
 * with Pods that are gated for ever, and its own controller writes its status.
 */
public class RemoteServingSets implements RemoteJobs {
  /** Here the Pods have a gate, and no controller is to be kept away. */
  @Override
  public Optional<List<String>> managedBy() {
    return Optional.empty();
  }

  /**
   * With the uid of the local object, by which Workloads there get the names that they have here.
   */
  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    ObjectNode copy = CopiedFields.of(job);
    Patches.child(Patches.child(copy, "metadata"), "annotations")
        .put(Annotations.MULTI_KUEUE_ORIGIN_UID, JobObject.of(job).uid());
    return copy;
  }

  /** The local controller would overwrite what is written. */
  @Override
  public Mirror mirror(JsonNode local, JsonNode remote) {
    return Mirror.NOTHING;
  }

  @Override
  public boolean isReady(JsonNode remote) {
    int wanted = remote.path("spec").path("replicas").asInt(1);
    return remote.path("status").path("readyReplicas").asInt() >= wanted;
  }

  /** Gated Pods are there at any time; those that run were ready, or the Workload has its quota. */
  @Override
  public boolean mayRun(JsonNode remote) {
    return remote.path("status").path("readyReplicas").asInt() > 0;
  }
}
