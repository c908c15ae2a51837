package dev.sluice.quota.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.cel.CelBudget;
import dev.sluice.api.cel.CelException;
import dev.sluice.api.cel.CelExpression;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.device.Counter;
import dev.sluice.api.device.CounterConsumption;
import dev.sluice.api.device.Device;
import dev.sluice.api.device.DeviceCapacity;
import dev.sluice.api.device.ResourceSliceSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the devices of a query, and what each counts as. Immutable. */
final class DeviceMatcher {
  private static final Set<String> VARIABLES = Set.of("device");

  /** What the selectors may take for one device. Most take 10 to 50. */
  private static final long MAX_STEPS = 10_000;

  private final DeviceQuery query;
  private final List<CelExpression> selectors;

  /**
   * A matcher for that query.
   *
   * @throws SelectorException if a selector is no expression
   */
  DeviceMatcher(DeviceQuery query) {
    this.query = query;
    this.selectors = new ArrayList<>();
    for (String text : query.selectors()) {
      try {
        selectors.add(CelExpression.parse(text, VARIABLES));
      } catch (CelException e) {
        throw new SelectorException("selector %s: %s".formatted(text, e.getMessage()));
      }
    }
  }

  /**
   * The devices of a slice.
   *
   * @throws SelectorException if selectors take too long
   */
  Matches of(ResourceSliceSpec slice) {
    List<DeviceSource> sources =
        query.sources().stream().filter(it -> it.driver().equals(slice.driver())).toList();
    Matches matches = Matches.NONE;
    if (!sources.isEmpty()) {
      for (Device device : slice.devices()) {
        matches = matches.and(of(device, slice.driver(), sources));
      }
    }
    return matches;
  }

  private Matches of(Device device, String driver, List<DeviceSource> sources) {
    var budget = new CelBudget(MAX_STEPS);
    Matches matches = of(device, driver, sources, budget);
    return matches.after(MAX_STEPS - budget.left());
  }

  private Matches of(Device device, String driver, List<DeviceSource> sources, CelBudget budget) {
    Map<String, Object> variables = DeviceVariables.of(device, driver);
    try {
      for (CelExpression selector : selectors) {
        if (!holds(selector, variables, budget)) {
          return Matches.NONE;
        }
      }
      List<DeviceSource> matching = new ArrayList<>();
      for (DeviceSource source : sources) {
        Optional<CelExpression> selector = source.selector();
        if (selector.isEmpty() || holds(selector.get(), variables, budget)) {
          matching.add(source);
        }
      }
      return matching.isEmpty() ? Matches.NONE : counted(device, driver, matching);
    } catch (CelException e) {
      if (budget.isUsedUp()) {
        throw SelectorException.tooManySteps();
      }
      return Matches.failed(
          "a selector fails for device %s: %s".formatted(device.name(), e.getMessage()));
    }
  }

  private static boolean holds(
      CelExpression selector, Map<String, Object> variables, CelBudget budget) {
    Object value = selector.evaluate(variables, budget);
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw new SelectorException("selector %s is neither true nor false".formatted(selector));
  }

  /** A device counts as what it takes of all counters or capacities that are named. */
  private Matches counted(Device device, String driver, List<DeviceSource> sources) {
    Set<String> names = new TreeSet<>();
    sources.forEach(source -> names.add(source.name()));
    BigDecimal sum = null;
    for (String name : names) {
      Use use =
          sources.getFirst().type() == DeviceSource.Type.COUNTER
              ? counter(device, name)
              : capacity(device, driver, name);
      if (use.isUnable()) {
        return Matches.one(device.allowMultipleAllocations(), null, false);
      }
      BigDecimal amount = use.amount();
      if (amount != null) {
        sum = sum == null ? amount : sum.add(amount);
      }
    }
    return Matches.one(device.allowMultipleAllocations(), sum, true);
  }

  /**
   * What a claim takes of a device.
   *
   * @param amount null where the device has nothing of that name
   * @param isUnable whether the device has less than is asked for
   */
  private record Use(@Nullable BigDecimal amount, boolean isUnable) {}

  /** A device may take of a counter in several sets. */
  private static Use counter(Device device, String name) {
    BigDecimal sum = null;
    for (CounterConsumption consumption : device.consumesCounters()) {
      Counter counter = consumption.counters().get(name);
      if (counter != null) {
        BigDecimal amount = counter.value().value();
        sum = sum == null ? amount : sum.add(amount);
      }
    }
    return new Use(sum, false);
  }

  private Use capacity(Device device, String driver, String name) {
    String qualified = DeviceVariables.qualified(name, driver);
    DeviceCapacity capacity = named(device.capacity(), qualified, driver);
    if (capacity == null) {
      return new Use(null, false);
    }
    Quantity requested = named(query.requested(), qualified, driver);
    Optional<BigDecimal> taken =
        CapacityUse.of(capacity, requested, device.allowMultipleAllocations());
    return new Use(taken.orElse(null), taken.isEmpty());
  }

  private static <V> @Nullable V named(Map<String, V> all, String qualified, String driver) {
    Map<String, V> found = new HashMap<>();
    all.forEach((name, value) -> found.put(DeviceVariables.qualified(name, driver), value));
    return found.get(qualified);
  }
}
