package dev.sluice.jobs.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.ElasticSizes;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/**
 * Jobs of batch/v1 on other clusters. The API server refuses most changes of the status of a
 * suspended Job, so while the local one is suspended only one condition is written.
 */
final class RemoteBatchJobs implements RemoteJobs {
  private static final List<String> SIZES = List.of("parallelism", "completions");
  private static final List<String> MANAGED_BY = List.of("spec", "managedBy");
  private static final List<String> GENERATED =
      List.of(
          "controller-uid",
          "job-name",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name");
  private static final String SUSPENDED = "Suspended";

  private final SuspendedJobs common =
      new SuspendedJobs(
          BatchJob::new,
          Optional.of(MANAGED_BY),
          List.of(List.of("spec", "ttlSecondsAfterFinished")));

  private final ElasticSizes sizes;

  RemoteBatchJobs(ElasticSizes sizes) {
    this.sizes = sizes;
  }

  @Override
  public boolean canBeElastic() {
    return sizes.isOn();
  }

  @Override
  public boolean isPatched() {
    return sizes.isOn();
  }

  @Override
  public boolean hasSizeOf(JsonNode local, JsonNode workload) {
    return sizes.equal(local, new BatchJob(local).podSets(), workload);
  }

  /** The number of completions changes with that of Pods, where the API server lets it change. */
  @Override
  public ObjectNode forwarded(JsonNode local, JsonNode remote) {
    ObjectNode patch = Patches.object();
    if (sizes.areOf(local)) {
      SIZES.stream()
          .filter(it -> local.path("spec").has(it))
          .filter(it -> !local.path("spec").path(it).equals(remote.path("spec").path(it)))
          .forEach(it -> Patches.child(patch, "spec").set(it, local.path("spec").path(it)));
    }
    return patch;
  }

  @Override
  public Optional<List<String>> managedBy() {
    return common.managedBy();
  }

  /** A selector that the user wrote fits labels that the user wrote; both stay. */
  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    ObjectNode copy = common.copy(job, workload);
    if (!job.path("spec").path("manualSelector").asBoolean()) {
      Patches.child(copy, "spec").remove("selector");
      removeGenerated(copy.path("metadata").path("labels"));
      removeGenerated(copy.at("/spec/template/metadata/labels"));
    }
    return copy;
  }

  private static void removeGenerated(JsonNode labels) {
    if (labels instanceof ObjectNode found) {
      found.remove(GENERATED);
    }
  }

  @Override
  public Mirror mirror(JsonNode local, JsonNode remote) {
    BatchJob there = new BatchJob(remote);
    boolean isHeldHere = local.path("spec").path("suspend").asBoolean();
    boolean isHeldThere = remote.path("spec").path("suspend").asBoolean();
    if (!isHeldHere || isHeldThere || there.finish().isPresent()) {
      return Mirror.whole(local, remote.path("status"));
    }
    return Mirror.partial(local, suspended(local));
  }

  /** The local status with the condition that says that the Job is suspended. */
  private static JsonNode suspended(JsonNode local) {
    ObjectNode status =
        local.path("status") instanceof ObjectNode there ? there.deepCopy() : Patches.object();
    ArrayNode conditions = Patches.object().arrayNode();
    for (JsonNode condition : status.path("conditions")) {
      if (!condition.path("type").asText().equals(SUSPENDED)) {
        conditions.add(condition);
      } else if (Conditions.isTrue(condition)) {
        return status;
      }
    }
    conditions.add(
        Patches.object()
            .put("type", SUSPENDED)
            .put("status", "True")
            .put("reason", "MultiKueueAdapter")
            .put("message", "Set by MultiKueue adapter"));
    status.set("conditions", conditions);
    return status;
  }

  @Override
  public boolean hasEnded(JsonNode remote) {
    return common.hasEnded(remote);
  }

  @Override
  public boolean mayRun(JsonNode remote) {
    return common.mayRun(remote);
  }
}
