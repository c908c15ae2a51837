package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The progress of a job whose operator creates RayClusters for it. */
interface ClusterOwner extends TemplatedJob.Progress {
  /** The whole job. */
  JsonNode tree();

  /** The RayClusters that the operator made for it. */
  OwnedClusters clusters();

  /** The RayCluster that determines the size of the running job; empty if the job itself does. */
  Optional<RayClusterState> sizing();

  /** The Pod sets of the cluster with that specification, with as many workers as it has now. */
  default List<PodSetShape> podSets(JsonNode spec) {
    JsonNode sized = sizing().map(it -> it.cluster().path("spec")).orElse(spec);
    return RayPods.podSets(spec, sized, RayPods.useRedis(tree(), spec));
  }

  @Override
  default boolean canBeElastic() {
    return true;
  }

  @Override
  default String sizeRevision() {
    return sizing().map(it -> Long.toString(it.generation())).orElse("");
  }

  @Override
  default Map<String, String> workloadAnnotations() {
    return sizing().isEmpty()
        ? Map.of()
        : Map.of(Annotations.RAY_CLUSTER_GENERATION, sizeRevision());
  }

  @Override
  default boolean needsQuotaWhileDeleted() {
    return clusters().cleanRedis();
  }
}
