package dev.sluice.scheduler.ledger;

import dev.sluice.api.meta.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;

/** All entries with the sum of their digests, whatever their order. For one thread. */
final class LedgerState {
  private final Map<ObjectKey, Entry> entries = new LinkedHashMap<>();
  private long digest;

  void put(Entry entry) {
    drop(entry.workload());
    entries.put(entry.workload(), entry);
    digest += entry.digest();
  }

  void drop(ObjectKey workload) {
    Entry gone = entries.remove(workload);
    if (gone != null) {
      digest -= gone.digest();
    }
  }

  void clear() {
    entries.clear();
    digest = 0;
  }

  Map<ObjectKey, Entry> entries() {
    return entries;
  }

  Line.Seal seal(long sequence) {
    return new Line.Seal(sequence, entries.size(), digest);
  }
}
