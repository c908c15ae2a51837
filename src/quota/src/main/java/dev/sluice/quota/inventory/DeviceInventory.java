package dev.sluice.quota.inventory;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;

import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.DeviceSelector;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.device.ListedDevices;
import dev.sluice.quota.device.SliceEntry;
import dev.sluice.quota.persistent.PersistentMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The templates for claims, the classes of devices, and the devices that some drivers list. For one
 * thread.
 */
final class DeviceInventory {
  /** Of classes that serve the same resource, that made last is taken, then the first by name. */
  private static final Comparator<DeviceClass> BY_PRECEDENCE =
      comparing(DeviceInventory::created, nullsFirst(Comparator.<Instant>naturalOrder()).reversed())
          .thenComparing(deviceClass -> deviceClass.metadata().name());

  private final Set<String> drivers;
  private PersistentMap<ObjectKey, ResourceClaimTemplate> templates = PersistentMap.empty();
  private PersistentMap<String, DeviceClass> classes = PersistentMap.empty();
  private PersistentMap<String, SliceEntry> slices = PersistentMap.empty();
  private ListedDevices devices = ListedDevices.NONE;
  private Map<String, String> serving = Map.of();
  private boolean recount;

  /** Without any; keeps slices of these drivers only. */
  DeviceInventory(Set<String> drivers) {
    this.drivers = Set.copyOf(drivers);
  }

  private DeviceInventory(DeviceInventory other) {
    this.drivers = other.drivers;
    this.slices = other.slices;
    this.devices = other.devices;
    this.recount = other.recount;
    this.templates = other.templates;
    this.classes = other.classes;
    this.serving = other.serving;
  }

  /** A copy with the same objects that changes independently. */
  DeviceInventory fork() {
    return new DeviceInventory(this);
  }

  private static @Nullable Instant created(DeviceClass deviceClass) {
    return deviceClass.metadata().creationTimestamp();
  }

  /** Replaces the template, or removes it; returns whether that changed anything. */
  boolean put(ObjectKey key, @Nullable ResourceClaimTemplate template) {
    ResourceClaimTemplate old = templates.find(key);
    templates = template == null ? templates.without(key) : templates.with(key, template);
    if (old == null || template == null) {
      return old != null || template != null;
    }
    return !old.spec().equals(template.spec());
  }

  /** Replaces the class, or removes it; whether other resources are served than before. */
  boolean put(String name, @Nullable DeviceClass deviceClass) {
    DeviceClass old = classes.find(name);
    recount |= !drivers.isEmpty() && !Objects.equals(selectors(old), selectors(deviceClass));
    classes = deviceClass == null ? classes.without(name) : classes.with(name, deviceClass);
    Map<String, String> before = serving;
    Map<String, String> now = new HashMap<>();
    List<DeviceClass> inOrder = new ArrayList<>();
    classes.values().forEach(inOrder::add);
    inOrder.sort(BY_PRECEDENCE);
    for (DeviceClass known : inOrder) {
      String resource = known.spec().extendedResourceName();
      if (resource != null) {
        now.putIfAbsent(resource, known.metadata().name());
      }
    }
    serving = now;
    return !now.equals(before);
  }

  private static @Nullable List<DeviceSelector> selectors(@Nullable DeviceClass deviceClass) {
    return deviceClass == null ? null : deviceClass.spec().selectors();
  }

  /** Replaces the slice, or removes it. */
  void put(String name, @Nullable ResourceSlice slice) {
    SliceEntry old = slices.find(name);
    boolean isKept = slice != null && drivers.contains(slice.spec().driver());
    if (slice == null || !isKept) {
      if (old == null) {
        return;
      }
      slices = slices.without(name);
    } else if (old != null && old.slice().equals(slice.spec())) {
      return;
    } else {
      slices = slices.with(name, new SliceEntry(slice.spec()));
    }
    devices = new ListedDevices(slices.values());
    recount = true;
  }

  /** Whether devices may count as something else than at the last call. */
  boolean takeRecount() {
    boolean taken = recount;
    recount = false;
    return taken;
  }

  /** All of them as they are now. */
  DeviceCatalog catalog() {
    return new Catalog(templates, classes, serving, devices);
  }

  private record Catalog(
      PersistentMap<ObjectKey, ResourceClaimTemplate> templates,
      PersistentMap<String, DeviceClass> classes,
      Map<String, String> serving,
      ListedDevices devices)
      implements DeviceCatalog {
    @Override
    public @Nullable ResourceClaimTemplate template(String namespace, String name) {
      return templates.find(new ObjectKey(namespace, name));
    }

    @Override
    public @Nullable String classServing(String extendedResource) {
      return serving.get(extendedResource);
    }

    @Override
    public @Nullable DeviceClass deviceClass(String name) {
      return classes.find(name);
    }
  }
}
