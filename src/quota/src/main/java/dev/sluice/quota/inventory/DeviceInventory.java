package dev.sluice.quota.inventory;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;

import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.persistent.PersistentMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The templates for claims and the classes of devices that are there. For one thread. */
final class DeviceInventory {
  /** Of classes that serve the same resource, that made last is taken, then the first by name. */
  private static final Comparator<DeviceClass> BY_PRECEDENCE =
      comparing(DeviceInventory::created, nullsFirst(Comparator.<Instant>naturalOrder()).reversed())
          .thenComparing(deviceClass -> deviceClass.metadata().name());

  private PersistentMap<ObjectKey, ResourceClaimTemplate> templates = PersistentMap.empty();
  private PersistentMap<String, DeviceClass> classes = PersistentMap.empty();
  private Map<String, String> serving = Map.of();

  DeviceInventory() {}

  private DeviceInventory(DeviceInventory other) {
    this.templates = other.templates;
    this.classes = other.classes;
    this.serving = other.serving;
  }

  /** A copy with the same templates and classes that changes independently. */
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

  /** The templates and classes as they are now. */
  DeviceCatalog catalog() {
    return new Catalog(templates, serving);
  }

  private record Catalog(
      PersistentMap<ObjectKey, ResourceClaimTemplate> templates, Map<String, String> serving)
      implements DeviceCatalog {
    @Override
    public @Nullable ResourceClaimTemplate template(String namespace, String name) {
      return templates.find(new ObjectKey(namespace, name));
    }

    @Override
    public @Nullable String classServing(String extendedResource) {
      return serving.get(extendedResource);
    }
  }
}
