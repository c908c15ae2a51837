package dev.sluice.quota.device;

import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which classes of devices count as what. Immutable. */
final class ClassMappings {
  private final Map<String, List<DeviceClassMapping>> byClass = new HashMap<>();
  private final boolean haveSources;

  ClassMappings(List<DeviceClassMapping> mappings) {
    for (DeviceClassMapping mapping : mappings) {
      for (String name : mapping.deviceClassNames()) {
        byClass.computeIfAbsent(name, _ -> new ArrayList<>()).add(mapping);
      }
    }
    this.haveSources = mappings.stream().anyMatch(mapping -> !mapping.sources().isEmpty());
  }

  boolean isEmpty() {
    return byClass.isEmpty();
  }

  /** What a device of the class counts as; empty where it cannot be counted. */
  List<DeviceClassMapping> of(String deviceClass) {
    return byClass.getOrDefault(deviceClass, List.of());
  }

  /** Whether any devices count as what ResourceSlices say. */
  boolean haveSources() {
    return haveSources;
  }

  /** Whether devices of the class count as what ResourceSlices say. */
  boolean hasSources(String deviceClass) {
    return of(deviceClass).stream().anyMatch(mapping -> !mapping.sources().isEmpty());
  }

  /** Why a device of a class without a resource cannot be counted. */
  static String problem(String deviceClass) {
    return "device class %s is not counted (expected: a class of resources.deviceClassMappings)"
        .formatted(deviceClass);
  }
}
