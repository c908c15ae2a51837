package dev.sluice.quota.inventory;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.request.NamespaceLimits;
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
  private final Map<String, TreeMap<String, LimitRange>> limitRanges = new HashMap<>();
  private final DeviceInventory devices = new DeviceInventory();
  private final TopologyCache sites;
  private final boolean places;
  private PodEnvironment environment = PodEnvironment.EMPTY;

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

  /** What pods refer to, as it is now. */
  public PodEnvironment environment() {
    return environment;
  }

  /** Replaces the template, or removes it; returns whether that changed anything. */
  public boolean put(ObjectKey key, @Nullable ResourceClaimTemplate template) {
    boolean changed = devices.put(key, template);
    environment = environment.with(devices.catalog());
    return changed;
  }

  /** Replaces the class, or removes it; whether other resources are served than before. */
  public boolean put(String name, @Nullable DeviceClass deviceClass) {
    boolean changed = devices.put(name, deviceClass);
    environment = environment.with(devices.catalog());
    return changed;
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
    environment = environment.with(name, namespace);
  }

  public void put(String name, @Nullable RuntimeClass runtimeClass) {
    environment = environment.with(name, runtimeClass);
  }

  public void put(ObjectKey key, @Nullable LimitRange range) {
    TreeMap<String, LimitRange> own =
        limitRanges.computeIfAbsent(key.namespace(), _ -> new TreeMap<>());
    if (range == null) {
      own.remove(key.name());
    } else {
      own.put(key.name(), range);
    }
    environment = environment.with(key.namespace(), NamespaceLimits.of(List.copyOf(own.values())));
  }
}
