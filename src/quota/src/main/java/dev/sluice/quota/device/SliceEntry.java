package dev.sluice.quota.device;

import dev.sluice.api.device.ResourceSliceSpec;
import java.util.HashMap;
import java.util.Map;

/** A ResourceSlice, and what was found in it. Any thread may use it. */
public final class SliceEntry {
  private static final int MAX_FOUND = 64;

  private final ResourceSliceSpec slice;
  private final Map<DeviceQuery, Matches> found = new HashMap<>();

  /** An entry in which nothing was looked for. */
  public SliceEntry(ResourceSliceSpec slice) {
    this.slice = slice;
  }

  /** What the driver says. */
  public ResourceSliceSpec slice() {
    return slice;
  }

  synchronized Matches matches(DeviceQuery query, DeviceMatcher matcher) {
    Matches known = found.get(query);
    if (known != null) {
      return known;
    }
    Matches matches = matcher.of(slice);
    if (found.size() >= MAX_FOUND) {
      found.clear();
    }
    found.put(query, matches);
    return matches;
  }
}
