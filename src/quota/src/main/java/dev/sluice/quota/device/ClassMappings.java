package dev.sluice.quota.device;

import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which classes of devices count as what. Immutable. */
final class ClassMappings {
  private final Map<String, String> resources = new HashMap<>();
  private final Set<String> bySources = new HashSet<>();

  ClassMappings(List<DeviceClassMapping> mappings) {
    for (DeviceClassMapping mapping : mappings) {
      for (String name : mapping.deviceClassNames()) {
        if (mapping.sources().isEmpty()) {
          resources.putIfAbsent(name, mapping.name());
        } else {
          bySources.add(name);
        }
      }
    }
  }

  boolean isEmpty() {
    return resources.isEmpty() && bySources.isEmpty();
  }

  boolean knows(String deviceClass) {
    return resources.containsKey(deviceClass) || bySources.contains(deviceClass);
  }

  /** The resource that a device of the class counts as one of; null where it cannot be counted. */
  @Nullable String resource(String deviceClass) {
    return bySources.contains(deviceClass) ? null : resources.get(deviceClass);
  }

  /** Why a device of a class without a resource cannot be counted. */
  String problem(String deviceClass) {
    return bySources.contains(deviceClass)
        ? "device class %s is counted by sources, of which the amounts are not known (expected: a mapping without sources)"
            .formatted(deviceClass)
        : "device class %s is not counted (expected: a class of resources.deviceClassMappings)"
            .formatted(deviceClass);
  }
}
