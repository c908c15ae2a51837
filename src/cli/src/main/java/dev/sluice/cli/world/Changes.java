package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** From objects to what the engine is told of them. */
final class Changes {
  private static final Map<String, Known> KINDS =
      Map.ofEntries(
          known(Change.Kind.CLUSTER_QUEUE, ClusterQueue.class, Change.ClusterQueueIs::new),
          known(Change.Kind.COHORT, Cohort.class, Change.CohortIs::new),
          known(Change.Kind.LOCAL_QUEUE, LocalQueue.class, Change.LocalQueueIs::new),
          known(Change.Kind.RESOURCE_FLAVOR, ResourceFlavor.class, Change.FlavorIs::new),
          known(Change.Kind.ADMISSION_CHECK, AdmissionCheck.class, Change.CheckIs::new),
          known(Change.Kind.TOPOLOGY, Topology.class, Change.TopologyIs::new),
          known(Change.Kind.NAMESPACE, Namespace.class, Change.NamespaceIs::new),
          known(Change.Kind.LIMIT_RANGE, LimitRange.class, Change.LimitRangeIs::new),
          known(Change.Kind.RUNTIME_CLASS, RuntimeClass.class, Change.RuntimeClassIs::new),
          known(
              Change.Kind.RESOURCE_CLAIM_TEMPLATE,
              ResourceClaimTemplate.class,
              Change.ClaimTemplateIs::new),
          known(Change.Kind.DEVICE_CLASS, DeviceClass.class, Change.DeviceClassIs::new),
          known(Change.Kind.NODE, Node.class, Change.NodeIs::new),
          known(Change.Kind.POD, Pod.class, Change.PodIs::new),
          known(Change.Kind.WORKLOAD, Workload.class, Change.WorkloadIs::new));

  /** How a kind is read. */
  private record Known(Change.Kind kind, Function<JsonNode, Change> reader) {}

  private Changes() {}

  private static <T> Map.Entry<String, Known> known(
      Change.Kind kind, Class<T> type, Function<T, Change> change) {
    return Map.entry(
        type.getSimpleName(),
        new Known(kind, object -> change.apply(HubObjects.read(type, object))));
  }

  /**
   * What the engine is told of an object that is there now; empty for a kind it does not read.
   *
   * @throws IllegalArgumentException naming the object and the field, if it is malformed
   */
  static Optional<Change> of(JsonNode object) {
    return Optional.ofNullable(KINDS.get(object.path("kind").asText()))
        .map(known -> known.reader().apply(object));
  }

  /** What the engine is told of an object that is gone; empty for a kind it does not read. */
  static Optional<Change> gone(ObjectRef ref) {
    return Optional.ofNullable(KINDS.get(ref.kind()))
        .map(known -> new Change.Deleted(known.kind(), new ObjectKey(ref.namespace(), ref.name())));
  }
}
