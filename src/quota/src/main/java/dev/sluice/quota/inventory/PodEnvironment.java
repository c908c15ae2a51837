package dev.sluice.quota.inventory;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.request.NamespaceLimits;
import dev.sluice.quota.request.PodAdjustments;
import org.jspecify.annotations.Nullable;

/** What pods refer to by name, at one moment. Immutable. */
public record PodEnvironment(
    PersistentMap<String, Namespace> namespaces,
    PersistentMap<String, RuntimeClass> runtimeClasses,
    PersistentMap<String, NamespaceLimits> limitsByNamespace,
    DeviceCatalog devices) {
  /** A cluster without namespaces. */
  public static final PodEnvironment EMPTY =
      new PodEnvironment(
          PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty(), DeviceCatalog.EMPTY);

  PodEnvironment with(String name, @Nullable Namespace namespace) {
    return new PodEnvironment(
        put(namespaces, name, namespace), runtimeClasses, limitsByNamespace, devices);
  }

  PodEnvironment with(String name, @Nullable RuntimeClass runtimeClass) {
    return new PodEnvironment(
        namespaces, put(runtimeClasses, name, runtimeClass), limitsByNamespace, devices);
  }

  PodEnvironment with(String namespace, NamespaceLimits limits) {
    return new PodEnvironment(
        namespaces, runtimeClasses, limitsByNamespace.with(namespace, limits), devices);
  }

  PodEnvironment with(DeviceCatalog other) {
    return new PodEnvironment(namespaces, runtimeClasses, limitsByNamespace, other);
  }

  private static <V> PersistentMap<String, V> put(
      PersistentMap<String, V> map, String name, @Nullable V value) {
    return value == null ? map.without(name) : map.with(name, value);
  }

  /** The namespace of that name, or null. */
  public @Nullable Namespace namespace(String name) {
    return namespaces.find(name);
  }

  /** What the LimitRanges of that namespace demand. */
  public NamespaceLimits limits(String namespace) {
    NamespaceLimits limits = limitsByNamespace.find(namespace);
    return limits == null ? NamespaceLimits.NONE : limits;
  }

  /** The workload with its pods as the cluster would make them. */
  public Workload adjusted(Workload workload) {
    return new PodAdjustments(limits(workload.metadata().namespace()), runtimeClasses::find)
        .adjust(workload);
  }
}
