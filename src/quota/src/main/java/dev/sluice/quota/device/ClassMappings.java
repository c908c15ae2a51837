package dev.sluice.quota.device;

import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which classes of devices count as what. Immutable. */
final class ClassMappings {
  private final Map<String, String> resources = new HashMap<>();

  ClassMappings(List<DeviceClassMapping> mappings) {
    for (DeviceClassMapping mapping : mappings) {
      for (String name : mapping.deviceClassNames()) {
        resources.putIfAbsent(name, mapping.name());
      }
    }
  }

  boolean isEmpty() {
    return resources.isEmpty();
  }

  /** The resource that a device of the class counts as one of; null where it cannot be counted. */
  @Nullable String resource(String deviceClass) {
    return resources.get(deviceClass);
  }

  /** Why a device of a class without a resource cannot be counted. */
  static String problem(String deviceClass) {
    return "device class %s is not counted (expected: a class of resources.deviceClassMappings)"
        .formatted(deviceClass);
  }
}
