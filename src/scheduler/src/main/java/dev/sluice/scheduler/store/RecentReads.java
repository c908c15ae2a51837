package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.store.ReadObject;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Parses Workloads with a small cache: several parts read the same one in a short time, and the
 * watch returns our own writes as another tree of the same version. Thread-safe.
 */
final class RecentReads {
  private static final int KEPT = 1 << 10;

  private final AtomicReferenceArray<ReadObject<Workload>> recent =
      new AtomicReferenceArray<>(KEPT);

  /**
   * The Workload that is written there.
   *
   * @throws MalformedObjectException if it has not the form of one
   */
  Workload read(JsonNode object) {
    int slot = slot(object);
    ReadObject<Workload> known = recent.get(slot);
    if (known != null && (known.isOf(object) || isSameVersion(known.object(), object))) {
      return known.typed();
    }
    Workload workload = HubObjects.read(Workload.class, object);
    recent.set(slot, new ReadObject<>(object, workload));
    return workload;
  }

  private static int slot(JsonNode object) {
    int hash = 31 * Versions.uid(object).hashCode() + Versions.text(object).hashCode();
    return (hash ^ (hash >>> 16)) & (KEPT - 1);
  }

  /** Whether both are one state of one object, as the API server numbers them. */
  private static boolean isSameVersion(JsonNode one, JsonNode other) {
    String uid = Versions.uid(one);
    String version = Versions.text(one);
    return !uid.isEmpty()
        && !version.isEmpty()
        && uid.equals(Versions.uid(other))
        && version.equals(Versions.text(other));
  }
}
