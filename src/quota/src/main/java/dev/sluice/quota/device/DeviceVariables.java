package dev.sluice.quota.device;

import dev.sluice.api.cel.Semver;
import dev.sluice.api.device.Device;
import dev.sluice.api.device.DeviceAttribute;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A device as selectors see it: as the variable {@code device}. */
final class DeviceVariables {
  private DeviceVariables() {}

  static Map<String, Object> of(Device device, String driver) {
    Map<String, Map<String, Object>> attributes = new HashMap<>();
    device
        .attributes()
        .forEach(
            (name, attribute) -> {
              Object value = value(attribute);
              if (value != null) {
                put(attributes, qualified(name, driver), value);
              }
            });
    Map<String, Map<String, Object>> capacity = new HashMap<>();
    device.capacity().forEach((name, of) -> put(capacity, qualified(name, driver), of.value()));
    return Map.of(
        "device",
        Map.of(
            "driver",
            driver,
            "attributes",
            new Domains(attributes),
            "capacity",
            new Domains(capacity),
            "allowMultipleAllocations",
            device.allowMultipleAllocations()));
  }

  /** The name with its domain, which is the driver where none is given. */
  static String qualified(String name, String driver) {
    return name.indexOf('/') < 0 ? driver + "/" + name : name;
  }

  private static void put(
      Map<String, Map<String, Object>> domains, String qualifiedName, Object value) {
    int slash = qualifiedName.indexOf('/');
    domains
        .computeIfAbsent(qualifiedName.substring(0, slash), _ -> new HashMap<>())
        .put(qualifiedName.substring(slash + 1), value);
  }

  private static @Nullable Object value(DeviceAttribute attribute) {
    if (attribute.string() != null) {
      return attribute.string();
    }
    if (attribute.number() != null) {
      return attribute.number();
    }
    if (attribute.truth() != null) {
      return attribute.truth();
    }
    String version = attribute.version();
    return version == null ? null : Semver.parse(version).orElse(null);
  }

  /** In Kubernetes every domain is there; one that the driver does not name is empty. */
  private static final class Domains extends AbstractMap<String, Map<String, Object>> {
    private final Map<String, Map<String, Object>> known;

    Domains(Map<String, Map<String, Object>> known) {
      this.known = known;
    }

    @Override
    public Map<String, Object> get(Object domain) {
      return known.getOrDefault(domain, Map.of());
    }

    @Override
    public boolean containsKey(Object domain) {
      return true;
    }

    @Override
    public Set<Entry<String, Map<String, Object>>> entrySet() {
      return known.entrySet();
    }
  }
}
