package dev.sluice.quota;

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
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of object that the engine follows. The constants are the only table of these kinds: a new
 * kind is a row here, and a route in {@link QuotaEngine} that handles it. Compared by identity.
 *
 * @param <T> holds an object of the kind
 */
public final class ObjectKind<T> {
  private static final List<ObjectKind<?>> ROWS = new ArrayList<>();

  public static final ObjectKind<ClusterQueue> CLUSTER_QUEUE =
      row(ApiKind.CLUSTER_QUEUE.groupKind(), ClusterQueue.class, ClusterQueue::metadata);
  public static final ObjectKind<Cohort> COHORT =
      row(ApiKind.COHORT.groupKind(), Cohort.class, Cohort::metadata);
  public static final ObjectKind<LocalQueue> LOCAL_QUEUE =
      row(ApiKind.LOCAL_QUEUE.groupKind(), LocalQueue.class, LocalQueue::metadata);
  public static final ObjectKind<ResourceFlavor> RESOURCE_FLAVOR =
      row(ApiKind.RESOURCE_FLAVOR.groupKind(), ResourceFlavor.class, ResourceFlavor::metadata);
  public static final ObjectKind<AdmissionCheck> ADMISSION_CHECK =
      row(ApiKind.ADMISSION_CHECK.groupKind(), AdmissionCheck.class, AdmissionCheck::metadata);
  public static final ObjectKind<Topology> TOPOLOGY =
      row(ApiKind.TOPOLOGY.groupKind(), Topology.class, Topology::metadata);
  public static final ObjectKind<Workload> WORKLOAD =
      row(ApiKind.WORKLOAD.groupKind(), Workload.class, Workload::metadata);
  public static final ObjectKind<Namespace> NAMESPACE =
      row(new GroupKind("", "Namespace"), Namespace.class, Namespace::metadata);
  public static final ObjectKind<LimitRange> LIMIT_RANGE =
      row(new GroupKind("", "LimitRange"), LimitRange.class, LimitRange::metadata);
  public static final ObjectKind<RuntimeClass> RUNTIME_CLASS =
      row(new GroupKind("node.k8s.io", "RuntimeClass"), RuntimeClass.class, RuntimeClass::metadata);
  public static final ObjectKind<ResourceClaimTemplate> RESOURCE_CLAIM_TEMPLATE =
      row(
          new GroupKind("resource.k8s.io", "ResourceClaimTemplate"),
          ResourceClaimTemplate.class,
          ResourceClaimTemplate::metadata);
  public static final ObjectKind<DeviceClass> DEVICE_CLASS =
      row(
          new GroupKind("resource.k8s.io", "DeviceClass"),
          DeviceClass.class,
          DeviceClass::metadata);

  /** Only slices of the drivers of the configuration are kept. */
  public static final ObjectKind<ResourceSlice> RESOURCE_SLICE =
      row(
          new GroupKind("resource.k8s.io", "ResourceSlice"),
          ResourceSlice.class,
          ResourceSlice::metadata);

  /** Only nodes that are ready and schedulable have room for pods. */
  public static final ObjectKind<Node> NODE =
      row(new GroupKind("", "Node"), Node.class, Node::metadata);

  /**
   * A pod that runs on a node uses room there unless topology-aware scheduling placed it. The
   * engine keeps nothing of other pods.
   */
  public static final ObjectKind<Pod> POD = row(new GroupKind("", "Pod"), Pod.class, Pod::metadata);

  private static final Map<GroupKind, ObjectKind<?>> BY_ID =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(ObjectKind::id, Function.identity()));

  private final GroupKind id;
  private final Class<T> type;
  private final Function<T, ObjectMeta> metadata;

  private ObjectKind(GroupKind id, Class<T> type, Function<T, ObjectMeta> metadata) {
    this.id = id;
    this.type = type;
    this.metadata = metadata;
  }

  private static <T> ObjectKind<T> row(
      GroupKind id, Class<T> type, Function<T, ObjectMeta> metadata) {
    var kind = new ObjectKind<>(id, type, metadata);
    ROWS.add(kind);
    return kind;
  }

  /** Every kind that the engine follows. */
  public static List<ObjectKind<?>> all() {
    return List.copyOf(ROWS);
  }

  /** The kind with that id; empty for one that the engine does not follow. */
  public static Optional<ObjectKind<?>> of(GroupKind id) {
    return Optional.ofNullable(BY_ID.get(id));
  }

  /** Its API group and name. */
  public GroupKind id() {
    return id;
  }

  /** The class of its objects. */
  public Class<T> type() {
    return type;
  }

  /** Namespace and name of an object; the namespace is empty for a kind without one. */
  public ObjectKey key(T object) {
    return ObjectKey.of(metadata.apply(object));
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
