package dev.sluice.quota.inventory;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;

import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.device.DeviceCatalog;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The templates for claims and the classes of devices that are there. For one thread. */
public final class DeviceInventory implements DeviceCatalog {
  /** Of classes that serve the same resource, that made last is taken, then the first by name. */
  private static final Comparator<DeviceClass> BY_PRECEDENCE =
      comparing(DeviceInventory::created, nullsFirst(Comparator.<Instant>naturalOrder()).reversed())
          .thenComparing(deviceClass -> deviceClass.metadata().name());

  private final Map<ObjectKey, ResourceClaimTemplate> templates = new HashMap<>();
  private final Map<String, DeviceClass> classes = new TreeMap<>();
  private Map<String, String> serving = Map.of();

  private static @Nullable Instant created(DeviceClass deviceClass) {
    return deviceClass.metadata().creationTimestamp();
  }

  /** Replaces the template, or removes it; returns whether that changed anything. */
  public boolean put(ObjectKey key, @Nullable ResourceClaimTemplate template) {
    ResourceClaimTemplate old =
        template == null ? templates.remove(key) : templates.put(key, template);
    if (old == null || template == null) {
      return old != null || template != null;
    }
    return !old.spec().equals(template.spec());
  }

  /** Replaces the class, or removes it; whether other resources are served than before. */
  public boolean put(String name, @Nullable DeviceClass deviceClass) {
    if (deviceClass == null) {
      classes.remove(name);
    } else {
      classes.put(name, deviceClass);
    }
    Map<String, String> before = serving;
    serving = new HashMap<>();
    for (DeviceClass known : classes.values().stream().sorted(BY_PRECEDENCE).toList()) {
      String resource = known.spec().extendedResourceName();
      if (resource != null) {
        serving.putIfAbsent(resource, known.metadata().name());
      }
    }
    return !serving.equals(before);
  }

  @Override
  public @Nullable ResourceClaimTemplate template(String namespace, String name) {
    return templates.get(new ObjectKey(namespace, name));
  }

  @Override
  public @Nullable String classServing(String extendedResource) {
    return serving.get(extendedResource);
  }
}
