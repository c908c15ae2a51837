package dev.sluice.quota.topology.domain;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** The entries that were used last, so many and no more. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  @Serial private static final long serialVersionUID = 1;

  private final int most;

  public LruMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
