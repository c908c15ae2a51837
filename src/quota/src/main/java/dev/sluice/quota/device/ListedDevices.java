package dev.sluice.quota.device;

import dev.sluice.api.device.ResourcePool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The devices in the ResourceSlices of a cluster at one moment. Only slices of the newest
 * generation of their pool count, and only if all of them are there. Any thread may use it.
 */
public final class ListedDevices {
  /** No devices. */
  public static final ListedDevices NONE = new ListedDevices(List.of());

  private static final int MAX_FOUND = 1000;

  /** What the selectors of a query may take: so many steps, and so many more for each device. */
  private static final long STEPS = 1_000_000;

  private static final long STEPS_OF_A_DEVICE = 200;

  private final Iterable<SliceEntry> slices;
  private final Map<DeviceQuery, Matches> found = new HashMap<>();
  private final Map<DeviceQuery, SelectorException> refused = new HashMap<>();
  private @Nullable List<SliceEntry> current;

  /**
   * The devices of these slices.
   *
   * @param slices looked at when they are first asked for; never change
   */
  public ListedDevices(Iterable<SliceEntry> slices) {
    this.slices = slices;
  }

  /**
   * The devices that a query is about.
   *
   * @throws SelectorException if a selector cannot be used
   */
  synchronized Matches matches(DeviceQuery query) {
    Matches known = found.get(query);
    if (known != null) {
      return known;
    }
    SelectorException refusal = refused.get(query);
    if (refusal != null) {
      throw refusal;
    }
    try {
      Matches matches = find(query);
      keep(query, matches, found);
      return matches;
    } catch (SelectorException e) {
      keep(query, e, refused);
      throw e;
    }
  }

  private static <V> void keep(DeviceQuery query, V answer, Map<DeviceQuery, V> answers) {
    if (answers.size() >= MAX_FOUND) {
      answers.clear();
    }
    answers.put(query, answer);
  }

  /** Steps count also where a slice remembers its answer, so the answer is always the same. */
  private Matches find(DeviceQuery query) {
    var matcher = new DeviceMatcher(query);
    Matches matches = Matches.NONE;
    long steps = STEPS;
    for (SliceEntry slice : current()) {
      matches = matches.and(slice.matches(query, matcher));
      steps += STEPS_OF_A_DEVICE * slice.slice().devices().size();
      if (matches.steps() > steps) {
        throw SelectorException.tooManySteps();
      }
    }
    return matches;
  }

  private List<SliceEntry> current() {
    if (current == null) {
      current = newest();
    }
    return current;
  }

  private record PoolName(String driver, String name) {
    static PoolName of(SliceEntry slice) {
      return new PoolName(slice.slice().driver(), slice.slice().pool().name());
    }
  }

  private List<SliceEntry> newest() {
    Map<PoolName, List<SliceEntry>> pools = new LinkedHashMap<>();
    for (SliceEntry slice : slices) {
      List<SliceEntry> pool = pools.computeIfAbsent(PoolName.of(slice), _ -> new ArrayList<>());
      long newest = pool.isEmpty() ? Long.MIN_VALUE : pool.getFirst().slice().pool().generation();
      long generation = slice.slice().pool().generation();
      if (generation > newest) {
        pool.clear();
      }
      if (generation >= newest) {
        pool.add(slice);
      }
    }
    List<SliceEntry> all = new ArrayList<>();
    for (List<SliceEntry> pool : pools.values()) {
      ResourcePool of = pool.getFirst().slice().pool();
      if (pool.size() >= of.resourceSliceCount()) {
        all.addAll(pool);
      }
    }
    return all;
  }
}
