package dev.sluice.lifecycle.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.reconcile.SliceOrder;
import dev.sluice.quota.ObjectKind;
import java.util.ArrayList;
import java.util.List;

/** Whose pods may have to be placed, or let go, since something changed. Thread-safe. */
public final class Concerned {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final SliceChains slices = new SliceChains();

  /** Takes note of a change, and says which workloads it is about. */
  public List<ObjectKey> by(GroupKind kind, ObjectChange change) {
    if (kind.equals(ObjectKind.POD.id())) {
      return byPod(new GatedPod(change.latest()));
    }
    if (kind.equals(WORKLOAD)) {
      slices.note(change);
      return change
          .after()
          .filter(Concerned::hasPods)
          .map(ObjectKey::of)
          .map(List::of)
          .orElse(List.of());
    }
    return List.of();
  }

  private List<ObjectKey> byPod(GatedPod pod) {
    List<ObjectKey> workloads = new ArrayList<>();
    if (!pod.workload().isEmpty() && !pod.podSet().isEmpty()) {
      workloads.add(new ObjectKey(pod.namespace(), pod.workload()));
    }
    if (!pod.slice().isEmpty()) { // one that is held, or one that makes room for it
      workloads.addAll(chain(new ObjectKey(pod.namespace(), pod.slice())));
    }
    return workloads;
  }

  /** The workloads that took over from each other since that one. */
  public List<ObjectKey> chain(ObjectKey first) {
    return slices.since(first);
  }

  /** Whether a workload has pods that are placed, or let go. */
  public static boolean hasPods(JsonNode workload) {
    return placesPods(workload) || !SliceOrder.origin(workload).isEmpty();
  }

  /** Whether it says where its pods are to be. */
  public static boolean placesPods(JsonNode workload) {
    return workload
        .at("/status/admission/podSetAssignments")
        .valueStream()
        .anyMatch(it -> it.has("topologyAssignment"));
  }
}
