package dev.sluice.quota.inventory;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.request.NamespaceLimits;
import dev.sluice.quota.topology.capacity.TopologyCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The objects that queues and workloads refer to by name. For one thread. */
public final class Inventory {
  private final ForkableMap<String, ResourceFlavor> flavors;
  private final ForkableMap<String, AdmissionCheck> checks;
  private final ForkableMap<String, Topology> topologies;
  private final ForkableMap<String, PersistentMap<String, LimitRange>> limitRanges;
  private final DeviceInventory devices;
  private final TopologyCache sites;
  private final boolean places;
  private PodEnvironment environment = PodEnvironment.EMPTY;

  /**
   * Knows nothing; keeps the sites in step with flavors and topologies.
   *
   * @param places whether pods are placed by topology
   * @param drivers the drivers whose ResourceSlices are kept
   */
  public Inventory(TopologyCache sites, boolean places, Set<String> drivers) {
    this.flavors = new ForkableMap<>();
    this.checks = new ForkableMap<>();
    this.topologies = new ForkableMap<>();
    this.limitRanges = new ForkableMap<>();
    this.devices = new DeviceInventory(drivers);
    this.sites = sites;
    this.places = places;
  }

  private Inventory(Inventory other, TopologyCache sites) {
    this.flavors = other.flavors.fork();
    this.checks = other.checks.fork();
    this.topologies = other.topologies.fork();
    this.limitRanges = other.limitRanges.fork();
    this.devices = other.devices.fork();
    this.sites = sites;
    this.places = other.places;
    this.environment = other.environment;
  }

  /** The same objects, with those sites, which are a fork of these ones. */
  public Inventory fork(TopologyCache fork) {
    return new Inventory(this, fork);
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

  /** Replaces the slice of devices, or removes it. */
  public void put(String name, @Nullable ResourceSlice slice) {
    devices.put(name, slice);
    environment = environment.with(devices.catalog());
  }

  /** Whether devices may count as something else than at the last call. */
  public boolean recountsDevices() {
    return devices.takeRecount();
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

  /** Whether there is a LimitRange of that name. */
  public boolean knows(ObjectKey limitRange) {
    PersistentMap<String, LimitRange> known = limitRanges.get(limitRange.namespace());
    return known != null && known.containsKey(limitRange.name());
  }

  /** Whether there is a RuntimeClass of that name. */
  public boolean knowsRuntimeClass(String name) {
    return environment.runtimeClasses().containsKey(name);
  }

  /** Takes a RuntimeClass; whether anything changes for pods. */
  public boolean put(String name, @Nullable RuntimeClass runtimeClass) {
    RuntimeClass before = environment.runtimeClasses().find(name);
    environment = environment.with(name, runtimeClass);
    return !Objects.equals(
        before == null ? null : before.overhead(),
        runtimeClass == null ? null : runtimeClass.overhead());
  }

  /** Takes a LimitRange; whether it says anything else than before. */
  public boolean put(ObjectKey key, @Nullable LimitRange range) {
    PersistentMap<String, LimitRange> known =
        limitRanges.getOrDefault(key.namespace(), PersistentMap.<String, LimitRange>empty());
    PersistentMap<String, LimitRange> own =
        range == null ? known.without(key.name()) : known.with(key.name(), range);
    limitRanges.put(key.namespace(), own);
    List<LimitRange> ranges = new ArrayList<>();
    own.values().forEach(ranges::add);
    environment = environment.with(key.namespace(), NamespaceLimits.of(ranges));
    LimitRange before = known.find(key.name());
    return !Objects.equals(
        before == null ? null : before.spec(), range == null ? null : range.spec());
  }
}
