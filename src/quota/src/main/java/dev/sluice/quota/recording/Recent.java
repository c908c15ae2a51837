package dev.sluice.quota.recording;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values that were asked for or put last, so many at most. A writer and a reader that do the
 * same in the same order have the same values. For one thread.
 */
final class Recent<K, V> extends LinkedHashMap<K, V> {
  /** Enough for what moves in a cluster; a million Workloads that wait are not kept once more. */
  static final int MOST = 1 << 14;

  private static final long serialVersionUID = 1L;
  private static final float LOAD = 0.75f;

  Recent() {
    super(16, LOAD, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > MOST;
  }
}
