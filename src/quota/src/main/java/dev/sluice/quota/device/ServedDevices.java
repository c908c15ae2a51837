package dev.sluice.quota.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts the devices behind resources of containers. Immutable. */
final class ServedDevices {
  /** Of every class there is a resource of this prefix and its name. */
  private static final String IMPLICIT_RESOURCE = "deviceclass.resource.kubernetes.io/";

  private final ClassMappings mappings;

  ServedDevices(ClassMappings mappings) {
    this.mappings = mappings;
  }

  /** The requests of a pod with what devices serve under the names that those count as. */
  Map<String, BigDecimal> counted(Map<String, BigDecimal> requests, DeviceCatalog catalog) {
    Map<String, BigDecimal> counted = new TreeMap<>();
    requests.forEach(
        (resource, quantity) ->
            each(resource, catalog)
                .forEach(
                    (name, amount) ->
                        counted.merge(name, amount.multiply(quantity), BigDecimal::add)));
    return counted;
  }

  /**
   * What one unit of a resource counts as: as itself where no class is mapped, and where a device
   * cannot be counted, so that it never takes no quota at all.
   */
  private Map<String, BigDecimal> each(String resource, DeviceCatalog catalog) {
    Map<String, BigDecimal> each = new TreeMap<>();
    String deviceClass = classBehind(resource, catalog);
    if (deviceClass != null) {
      for (DeviceClassMapping mapping : mappings.of(deviceClass)) {
        if (count(mapping, deviceClass, BigDecimal.ONE, catalog)
            instanceof SourceCount.Counted(var amount)) {
          each.put(mapping.name(), amount);
        }
      }
    }
    return each.isEmpty() ? Map.of(resource, BigDecimal.ONE) : each;
  }

  private static SourceCount count(
      DeviceClassMapping mapping, String deviceClass, BigDecimal devices, DeviceCatalog catalog) {
    return mapping.sources().isEmpty()
        ? new SourceCount.Counted(BigDecimal.ONE)
        : SourceCount.of(mapping, deviceClass, List.of(), Map.of(), devices, catalog);
  }

  /** The class of the devices behind a resource, or null. */
  private static @Nullable String classBehind(String resource, DeviceCatalog catalog) {
    return resource.startsWith(IMPLICIT_RESOURCE)
        ? resource.substring(IMPLICIT_RESOURCE.length())
        : catalog.classServing(resource);
  }

  /** Why devices that containers ask for cannot be counted, each with its path below the spec. */
  List<String> problems(PodSpec pod, DeviceCatalog catalog) {
    List<String> problems = new ArrayList<>();
    add("initContainers", pod.initContainers(), catalog, problems);
    add("containers", pod.containers(), catalog, problems);
    return problems;
  }

  private void add(
      String field, List<Container> containers, DeviceCatalog catalog, List<String> problems) {
    for (int i = 0; i < containers.size(); i++) {
      for (Map.Entry<String, Quantity> request :
          containers.get(i).resources().requests().entrySet()) {
        String path = "%s[%d].resources.requests[%s]".formatted(field, i, request.getKey());
        add(path, request.getKey(), request.getValue().value(), catalog, problems);
      }
    }
  }

  private void add(
      String path,
      String resource,
      BigDecimal devices,
      DeviceCatalog catalog,
      List<String> problems) {
    String deviceClass = classBehind(resource, catalog);
    if (deviceClass == null) {
      return;
    }
    for (DeviceClassMapping mapping : mappings.of(deviceClass)) {
      if (count(mapping, deviceClass, devices, catalog)
          instanceof SourceCount.Uncountable(var problem)) {
        problems.add(path + ": " + problem);
      }
    }
  }

  /** Whether what the containers ask for depends on ResourceSlices. */
  boolean readsSlices(PodSpec pod, DeviceCatalog catalog) {
    return Stream.concat(pod.containers().stream(), pod.initContainers().stream())
        .flatMap(container -> container.resources().requests().keySet().stream())
        .map(resource -> classBehind(resource, catalog))
        .anyMatch(deviceClass -> deviceClass != null && mappings.hasSources(deviceClass));
  }
}
