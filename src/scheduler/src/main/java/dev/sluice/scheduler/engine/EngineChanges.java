package dev.sluice.scheduler.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
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
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.quota.Change;
import dev.sluice.scheduler.store.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From what a view tells to what the engine is told. */
public final class EngineChanges {
  private static final Logger LOG = LoggerFactory.getLogger(EngineChanges.class);

  private record Known(Change.Kind kind, Function<JsonNode, Change> reader) {}

  private static final Map<GroupKind, Known> KINDS =
      Map.ofEntries(
          ours(
              ApiKind.CLUSTER_QUEUE,
              Change.Kind.CLUSTER_QUEUE,
              ClusterQueue.class,
              Change.ClusterQueueIs::new),
          ours(ApiKind.COHORT, Change.Kind.COHORT, Cohort.class, Change.CohortIs::new),
          ours(
              ApiKind.LOCAL_QUEUE,
              Change.Kind.LOCAL_QUEUE,
              LocalQueue.class,
              Change.LocalQueueIs::new),
          ours(
              ApiKind.RESOURCE_FLAVOR,
              Change.Kind.RESOURCE_FLAVOR,
              ResourceFlavor.class,
              Change.FlavorIs::new),
          ours(
              ApiKind.ADMISSION_CHECK,
              Change.Kind.ADMISSION_CHECK,
              AdmissionCheck.class,
              Change.CheckIs::new),
          ours(ApiKind.TOPOLOGY, Change.Kind.TOPOLOGY, Topology.class, Change.TopologyIs::new),
          ours(ApiKind.WORKLOAD, Change.Kind.WORKLOAD, Workload.class, Change.WorkloadIs::new),
          known(Kinds.NAMESPACE, Change.Kind.NAMESPACE, Namespace.class, Change.NamespaceIs::new),
          known(Kinds.NODE, Change.Kind.NODE, Node.class, Change.NodeIs::new),
          known(Kinds.POD, Change.Kind.POD, Pod.class, Change.PodIs::new),
          known(
              Kinds.LIMIT_RANGE,
              Change.Kind.LIMIT_RANGE,
              LimitRange.class,
              Change.LimitRangeIs::new),
          known(
              Kinds.RUNTIME_CLASS,
              Change.Kind.RUNTIME_CLASS,
              RuntimeClass.class,
              Change.RuntimeClassIs::new),
          known(
              Kinds.RESOURCE_CLAIM_TEMPLATE,
              Change.Kind.RESOURCE_CLAIM_TEMPLATE,
              ResourceClaimTemplate.class,
              Change.ClaimTemplateIs::new),
          known(
              Kinds.DEVICE_CLASS,
              Change.Kind.DEVICE_CLASS,
              DeviceClass.class,
              Change.DeviceClassIs::new));

  private EngineChanges() {}

  private static <T> Map.Entry<GroupKind, Known> ours(
      ApiKind kind, Change.Kind change, Class<T> type, Function<T, Change> told) {
    return known(kind.groupKind(), change, type, told);
  }

  private static <T> Map.Entry<GroupKind, Known> known(
      GroupKind kind, Change.Kind change, Class<T> type, Function<T, Change> told) {
    return Map.entry(kind, new Known(change, object -> told.apply(HubObjects.read(type, object))));
  }

  /**
   * What the engine is told; empty for a kind it does not read, and for an object that has not the
   * form of its kind, which stays as it was.
   */
  public static Optional<Change> of(GroupKind kind, ObjectChange change) {
    Known known = KINDS.get(kind);
    return known == null ? Optional.empty() : of(known.kind(), known.reader(), change);
  }

  /** The same of a Workload, which somebody else reads. */
  public static Optional<Change> ofWorkload(
      ObjectChange change, Function<JsonNode, Workload> reader) {
    return of(Change.Kind.WORKLOAD, reader.andThen(Change.WorkloadIs::new), change);
  }

  /** What was decided is stored, and the API server answered with this. */
  static List<Change> ofStored(Workload answer) {
    return List.of(
        new Change.WorkloadAnswered(answer),
        new Change.StatusStored(ObjectKey.of(answer.metadata()), answer.metadata().uid()));
  }

  /**
   * A decision will not be stored, with what follows from it. The last comes first: the engine may
   * run a cycle between two of these changes, and a slice that is decided again there must find the
   * one that it replaces running, or no decision would end that one.
   */
  static List<Change> ofLost(StatusUpdate decided) {
    List<Change> changes = new ArrayList<>();
    for (StatusUpdate lost = decided; lost != null; lost = lost.then()) {
      if (lost.isAssumed()) {
        ObjectMeta base = lost.base().metadata();
        changes.addFirst(new Change.StatusWriteFailed(ObjectKey.of(base), base.uid()));
      }
    }
    return changes;
  }

  private static Optional<Change> of(
      Change.Kind kind, Function<JsonNode, ? extends Change> reader, ObjectChange change) {
    return change
        .after()
        .map(object -> read(reader, object))
        .orElseGet(() -> Optional.of(gone(kind, change.latest())));
  }

  private static Optional<Change> read(
      Function<JsonNode, ? extends Change> reader, JsonNode object) {
    try {
      return Optional.of(reader.apply(object));
    } catch (MalformedObjectException e) {
      LOG.warn(
          "an object cannot be read; the engine ignores this change of it: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static Change gone(Change.Kind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new Change.Deleted(
        kind,
        new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText()),
        metadata.path("uid").asText());
  }
}
