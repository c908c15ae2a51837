package dev.sluice.quota;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.request.NamespaceLimits;
import dev.sluice.quota.request.PodAdjustments;
import dev.sluice.quota.topology.Sites;
import dev.sluice.quota.world.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects that queues and workloads refer to by name. For one thread. */
final class Inventory {
  private final Map<String, ResourceFlavor> flavors = new HashMap<>();
  private final Map<String, AdmissionCheck> checks = new HashMap<>();
  private final Map<String, Topology> topologies = new HashMap<>();
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final Map<String, RuntimeClass> runtimeClasses = new HashMap<>();
  private final Map<String, TreeMap<String, LimitRange>> limitRanges = new HashMap<>();
  private final Map<String, NamespaceLimits> limits = new HashMap<>();

  private final Devices devices = new Devices();
  private final Sites sites;
  private final boolean places;

  /**
   * Knows nothing; keeps the sites in step with flavors and topologies.
   *
   * @param places whether pods are placed by topology
   */
  Inventory(Sites sites, boolean places) {
    this.sites = sites;
    this.places = places;
  }

  /** Whether it matters what the topologies are that flavors name. */
  boolean places() {
    return places;
  }

  Sites sites() {
    return sites;
  }

  Devices devices() {
    return devices;
  }

  /** Replaces the flavor of that name; answers the one before. */
  @Nullable ResourceFlavor put(String name, @Nullable ResourceFlavor flavor) {
    sites.put(name, flavor);
    return flavor == null ? flavors.remove(name) : flavors.put(name, flavor);
  }

  @Nullable ResourceFlavor flavor(String name) {
    return flavors.get(name);
  }

  void put(String name, @Nullable AdmissionCheck check) {
    if (check == null) {
      checks.remove(name);
    } else {
      checks.put(name, check);
    }
  }

  @Nullable AdmissionCheck check(String name) {
    return checks.get(name);
  }

  void put(String name, @Nullable Topology topology) {
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

  void put(String name, @Nullable Namespace namespace) {
    if (namespace == null) {
      namespaces.remove(name);
    } else {
      namespaces.put(name, namespace);
    }
  }

  @Nullable Namespace namespace(String name) {
    return namespaces.get(name);
  }

  void put(String name, @Nullable RuntimeClass runtimeClass) {
    if (runtimeClass == null) {
      runtimeClasses.remove(name);
    } else {
      runtimeClasses.put(name, runtimeClass);
    }
  }

  void put(ObjectKey key, @Nullable LimitRange range) {
    TreeMap<String, LimitRange> own =
        limitRanges.computeIfAbsent(key.namespace(), _ -> new TreeMap<>());
    if (range == null) {
      own.remove(key.name());
    } else {
      own.put(key.name(), range);
    }
    limits.put(key.namespace(), NamespaceLimits.of(List.copyOf(own.values())));
  }

  NamespaceLimits limits(String namespace) {
    return limits.getOrDefault(namespace, NamespaceLimits.NONE);
  }

  /** The workload with its pods as the cluster would make them. */
  Workload adjusted(Workload workload) {
    return new PodAdjustments(limits(workload.metadata().namespace()), runtimeClasses::get)
        .adjust(workload);
  }
}
