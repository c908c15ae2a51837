package dev.sluice.quota.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.DeviceSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one device of a request counts as by the sources of a mapping: as the most of all devices
 * that it may get, so that whichever it gets, the quota is enough.
 */
sealed interface SourceCount {
  /** It counts as so much, rounded up to whole units. */
  record Counted(BigDecimal amount) implements SourceCount {}

  /** It cannot be counted. */
  record Uncountable(String problem) implements SourceCount {}

  /**
   * Counts it.
   *
   * @param selectors those of the request
   * @param requested what the request asks for of the capacity of a device
   * @param count how many devices the request is for
   */
  static SourceCount of(
      DeviceClassMapping mapping,
      String deviceClass,
      List<DeviceSelector> selectors,
      Map<String, Quantity> requested,
      BigDecimal count,
      DeviceCatalog catalog) {
    DeviceClass known = catalog.deviceClass(deviceClass);
    if (known == null) {
      return new Uncountable("there is no DeviceClass " + deviceClass);
    }
    List<String> all = new ArrayList<>();
    known.spec().selectors().forEach(it -> all.add(it.cel().expression()));
    selectors.forEach(it -> all.add(it.cel().expression()));
    try {
      return counted(
          mapping.sources(),
          catalog.devices().matches(new DeviceQuery(mapping.sources(), all, requested)),
          count);
    } catch (SelectorException e) {
      return new Uncountable(String.valueOf(e.getMessage()));
    }
  }

  private static SourceCount counted(
      List<DeviceSource> sources, Matches matches, BigDecimal count) {
    BigDecimal needed = matches.shared() ? BigDecimal.ONE : count;
    if (needed.compareTo(BigDecimal.valueOf(matches.devices())) > 0) {
      String failure = matches.failure() == null ? "" : "; " + matches.failure();
      return new Uncountable(
          "insufficient matching devices: %d in ResourceSlices of driver %s (expected: %s)%s"
              .formatted(matches.devices(), names(sources, true), count.toPlainString(), failure));
    }
    String name = names(sources, false);
    int able = matches.devices() - matches.unable();
    if (needed.compareTo(BigDecimal.valueOf(able)) > 0) {
      return new Uncountable(
          "capacity request cannot be satisfied: %d of %d matching devices have so much of %s (expected: %s)"
              .formatted(able, matches.devices(), name, count.toPlainString()));
    }
    BigDecimal most = matches.most();
    if (most != null) {
      return new Counted(most);
    }
    return new Uncountable(
        sources.getFirst().type() == DeviceSource.Type.COUNTER
            ? "no consumesCounters entry for counter %s in %d matching devices"
                .formatted(name, matches.devices())
            : "matched devices have no capacity dimension %s".formatted(name));
  }

  private static String names(List<DeviceSource> sources, boolean drivers) {
    return sources.stream()
        .map(source -> drivers ? source.driver() : source.name())
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
