package dev.sluice.quota.inventory;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.request.NamespaceLimits;
import dev.sluice.quota.request.PodAdjustments;
import dev.sluice.quota.topology.capacity.TopologyCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects that queues and workloads refer to by name. For one thread. */
public final class Inventory {
  private final Map<String, ResourceFlavor> flavors = new HashMap<>();
  private final Map<String, AdmissionCheck> checks = new HashMap<>();
  private final Map<String, Topology> topologies = new HashMap<>();
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final Map<String, RuntimeClass> runtimeClasses = new HashMap<>();
  private final Map<String, TreeMap<String, LimitRange>> limitRanges = new HashMap<>();
  private final Map<String, NamespaceLimits> limits = new HashMap<>();

  private final DeviceInventory devices = new DeviceInventory();
  private final TopologyCache sites;
  private final boolean places;

  /**
   * Knows nothing; keeps the sites in step with flavors and topologies.
   *
   * @param places whether pods are placed by topology
   */
  public Inventory(TopologyCache sites, boolean places) {
    this.sites = sites;
    this.places = places;
  }

  /** Whether it matters what the topologies are that flavors name. */
  boolean places() {
    return places;
  }

  public TopologyCache topologies() {
    return sites;
  }

  public DeviceInventory devices() {
    return devices;
  }

  /** Replaces the flavor of that name; answers the one before. */
  public @Nullable ResourceFlavor put(String name, @Nullable ResourceFlavor flavor) {
    sites.put(name, flavor);
    return flavor == null ? flavors.remove(name) : flavors.put(name, flavor);
  }

  public @Nullable ResourceFlavor flavor(String name) {
    return flavors.get(name);
  }

  public void put(String name, @Nullable AdmissionCheck check) {
    if (check == null) {
      checks.remove(name);
    } else {
      checks.put(name, check);
    }
  }

  public @Nullable AdmissionCheck check(String name) {
    return checks.get(name);
  }

  public void put(String name, @Nullable Topology topology) {
    sites.put(name, topology);
    if (topology == null) {
      topologies.remove(name);
    } else {
      topologies.put(name, topology);
    }
  }

  @Nullable Topology topology(String name) {
    return topologies.get(name);
  }

  public void put(String name, @Nullable Namespace namespace) {
    if (namespace == null) {
      namespaces.remove(name);
    } else {
      namespaces.put(name, namespace);
    }
  }

  public @Nullable Namespace namespace(String name) {
    return namespaces.get(name);
  }

  public void put(String name, @Nullable RuntimeClass runtimeClass) {
    if (runtimeClass == null) {
      runtimeClasses.remove(name);
    } else {
      runtimeClasses.put(name, runtimeClass);
    }
  }

  public void put(ObjectKey key, @Nullable LimitRange range) {
    TreeMap<String, LimitRange> own =
        limitRanges.computeIfAbsent(key.namespace(), _ -> new TreeMap<>());
    if (range == null) {
      own.remove(key.name());
    } else {
      own.put(key.name(), range);
    }
    limits.put(key.namespace(), NamespaceLimits.of(List.copyOf(own.values())));
  }

  public NamespaceLimits limits(String namespace) {
    return limits.getOrDefault(namespace, NamespaceLimits.NONE);
  }

  /** The workload with its pods as the cluster would make them. */
  public Workload adjusted(Workload workload) {
    return new PodAdjustments(limits(workload.metadata().namespace()), runtimeClasses::get)
        .adjust(workload);
  }
}
