package dev.sluice.lifecycle.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.reconcile.SliceOrder;
import dev.sluice.lifecycle.store.ObjectIndex;
import java.util.List;
import java.util.Set;

/** The workloads that took over from each other, by the first of them. Thread-safe. */
public final class SliceChains {
  private final ObjectIndex slices = new ObjectIndex(SliceChains::first);

  private static Set<String> first(JsonNode workload) {
    String origin = SliceOrder.origin(workload);
    return origin.isEmpty()
        ? Set.of()
        : Set.of(new ObjectKey(ObjectKey.of(workload).namespace(), origin).toString());
  }

  /** A workload has changed. */
  public void note(ObjectChange change) {
    slices.note(change);
  }

  /** The workloads that took over from each other since that one. */
  public List<ObjectKey> since(ObjectKey first) {
    return slices.find(first.toString());
  }
}
