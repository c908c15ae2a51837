package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.remote.ElasticSizes;
import dev.sluice.jobs.remote.Isolated;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * A kind of ray.io on other clusters.
 *
 * @param common what it has in common with other kinds that can be suspended
 * @param elastic the sizes of elastic jobs of the kind
 * @param isPatched whether fields of the local job are followed at all
 * @param follow the change of the remote job by fields of the local one; given both
 */
record RemoteRays(
    SuspendedJobs common, ElasticSizes elastic, boolean isPatched, BinaryOperator<JsonNode> follow)
    implements RemoteJobs {
  private static final List<String> MANAGED_BY = List.of("spec", "managedBy");
  private static final String SERVE_CONFIG = "serveConfigV2";
  private static final String GROUPS = "workerGroupSpecs";

  /** Where a Pod of Ray itself changes the size, there is no local size to follow. */
  private static final ElasticSizes NEVER_ELASTIC = new ElasticSizes(false);

  /** KubeRay keeps the replicas within their bounds. */
  private static final List<String> SIZES =
      List.of("replicas", "minReplicas", "maxReplicas", "numOfHosts");

  static RemoteJobs jobs(JobSettings settings) {
    return new RemoteRays(
        suspended(
            it -> RayJobs.job(it, Isolated.context(settings)),
            List.of(List.of("spec", "ttlSecondsAfterFinished"))),
        NEVER_ELASTIC,
        false,
        (_, _) -> Patches.object());
  }

  /** An elastic RayCluster has the same size everywhere. */
  static RemoteJobs clusters(JobSettings settings) {
    ElasticSizes elastic = ElasticSizes.of(settings);
    return new RemoteRays(
        suspended(it -> RayClusters.job(it, settings), List.of()),
        elastic,
        true,
        (local, remote) -> elastic.areOf(local) ? sizes(local, remote) : Patches.object());
  }

  /** What a RayService serves may change while it runs, and changes nothing of its Pods. */
  static RemoteJobs services(JobSettings settings) {
    boolean follows = settings.isOn(FeatureGate.MULTI_KUEUE_REMOTE_SPEC_SYNC);
    return new RemoteRays(
        suspended(it -> RayServices.job(it, Isolated.context(settings)), List.of()),
        NEVER_ELASTIC,
        true,
        (local, remote) -> follows ? serveConfig(local, remote) : Patches.object());
  }

  private static SuspendedJobs suspended(
      Function<JsonNode, Job> reader, List<List<String>> leftOut) {
    return new SuspendedJobs(reader, Optional.of(MANAGED_BY), leftOut);
  }

  private static ObjectNode serveConfig(JsonNode local, JsonNode remote) {
    ObjectNode patch = Patches.object();
    JsonNode here = local.path("spec").path(SERVE_CONFIG);
    if (!here.asText("").equals(remote.path("spec").path(SERVE_CONFIG).asText(""))) {
      ObjectNode spec = patch.putObject("spec");
      if (here.isTextual()) {
        spec.set(SERVE_CONFIG, here);
      } else {
        spec.putNull(SERVE_CONFIG);
      }
    }
    return patch;
  }

  /** A list is replaced whole by a merge patch, so what is not a size is that of the remote one. */
  private static ObjectNode sizes(JsonNode local, JsonNode remote) {
    ObjectNode patch = Patches.object();
    if (!(remote.path("spec").path(GROUPS) instanceof ArrayNode there)) {
      return patch;
    }
    ArrayNode sized = there.deepCopy();
    for (JsonNode group : sized) {
      Optional<JsonNode> here = group(local, group.path("groupName").asText());
      if (here.isPresent() && group instanceof ObjectNode found) {
        SIZES.stream()
            .filter(here.get()::has)
            .forEach(size -> found.set(size, here.get().path(size)));
      }
    }
    if (!sized.equals(there)) {
      patch.putObject("spec").set(GROUPS, sized);
    }
    return patch;
  }

  private static Optional<JsonNode> group(JsonNode cluster, String name) {
    return cluster
        .path("spec")
        .path(GROUPS)
        .valueStream()
        .filter(it -> it.path("groupName").asText().equals(name))
        .findFirst();
  }

  @Override
  public boolean canBeElastic() {
    return elastic.isOn();
  }

  @Override
  public boolean hasSizeOf(JsonNode local, JsonNode workload) {
    return elastic.equal(local, common.reader().apply(local).podSets(), workload);
  }

  @Override
  public Optional<List<String>> managedBy() {
    return common.managedBy();
  }

  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    return common.copy(job, workload);
  }

  @Override
  public ObjectNode forwarded(JsonNode local, JsonNode remote) {
    return follow.apply(local, remote) instanceof ObjectNode patch ? patch : Patches.object();
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
