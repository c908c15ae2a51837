package dev.sluice.lifecycle.variant;

import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Evicts variants, and the Workloads that they are of. */
final class Eviction {
  private Eviction() {}

  static List<Write> of(
      Workload workload, String reason, String message, StatusDetail detail, Instant now) {
    StatusEditor edit = new StatusEditor(workload, detail, now).evict(reason, reason, "", message);
    List<Write> writes =
        new ArrayList<>(StatusPatch.patch(workload, edit.build()).stream().toList());
    writes.add(Variants.event(workload, EventReasons.EVICTED_DUE_TO + reason, message));
    return writes;
  }
}
