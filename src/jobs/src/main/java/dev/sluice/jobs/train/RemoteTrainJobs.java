package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.Isolated;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/**
 * TrainJobs on other clusters: the worker adds its own runtime patch, so the one that is of an
 * admission here is left out.
 */
final class RemoteTrainJobs implements RemoteJobs {
  private final SuspendedJobs common;

  RemoteTrainJobs(JobSettings settings) {
    this.common =
        new SuspendedJobs(
            it -> TrainJob.of(it, Isolated.context(settings)),
            Optional.of(List.of("spec", "managedBy")),
            List.of());
  }

  @Override
  public Optional<List<String>> managedBy() {
    return common.managedBy();
  }

  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    ObjectNode copy = common.copy(job, workload);
    ArrayNode kept = Patches.object().arrayNode();
    JsonNode patches = copy.path("spec").path(RuntimePatch.LIST);
    patches.valueStream().filter(it -> !RuntimePatch.isOurs(it)).forEach(kept::add);
    if (kept.isEmpty()) {
      Patches.child(copy, "spec").remove(RuntimePatch.LIST);
    } else {
      Patches.child(copy, "spec").set(RuntimePatch.LIST, kept);
    }
    return copy;
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
