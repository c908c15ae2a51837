package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.serving.RemoteServingSets;

/** LeaderWorkerSets on other clusters: all replicas on one, as many as there are here. */
final class RemoteLeaderWorkerSets extends RemoteServingSets {
  private static final String REPLICAS = "replicas";

  @Override
  public int workloads(JsonNode job) {
    return new Replicas(job).count();
  }

  @Override
  public int index(JsonNode workload) {
    return Replicas.index(workload).orElse(0);
  }

  @Override
  public boolean isPatched() {
    return true;
  }

  @Override
  public ObjectNode forwarded(JsonNode local, JsonNode remote) {
    ObjectNode patch = Patches.object();
    int here = local.path("spec").path(REPLICAS).asInt(1);
    if (here != remote.path("spec").path(REPLICAS).asInt(1)) {
      patch.putObject("spec").put(REPLICAS, here);
    }
    return patch;
  }
}
