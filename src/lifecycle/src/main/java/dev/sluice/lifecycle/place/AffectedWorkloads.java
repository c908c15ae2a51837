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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Workloads whose pods may have to be placed or ungated after a change. Most clusters have
 * none, and many pods. Thread-safe.
 */
public final class AffectedWorkloads {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final SliceChains slices = new SliceChains();

  /** Those that say where their pods are. */
  private final Set<ObjectKey> placed = ConcurrentHashMap.newKeySet();

  /** Records a change and returns the workloads that it affects. */
  public List<ObjectKey> by(GroupKind kind, ObjectChange change) {
    if (kind.equals(ObjectKind.POD.id())) {
      return byPod(new GatedPod(change.latest()));
    }
    if (kind.equals(WORKLOAD)) {
      slices.note(change);
      notePlaced(change.latest(), change.after().filter(AffectedWorkloads::placesPods).isPresent());
      return change
          .after()
          .filter(AffectedWorkloads::hasPods)
          .map(ObjectKey::of)
          .map(List::of)
          .orElse(List.of());
    }
    return List.of();
  }

  private void notePlaced(JsonNode workload, boolean isPlaced) {
    if (isPlaced) {
      placed.add(ObjectKey.of(workload));
    } else if (!placed.isEmpty()) {
      placed.remove(ObjectKey.of(workload));
    }
  }

  /** A pod that comes before its Workload is placed is looked at once that is. */
  private List<ObjectKey> byPod(GatedPod pod) {
    List<ObjectKey> workloads = new ArrayList<>();
    if (!placed.isEmpty() && !pod.podSet().isEmpty()) {
      Optional.of(new ObjectKey(pod.namespace(), pod.workload()))
          .filter(placed::contains)
          .ifPresent(workloads::add);
    }
    if (!pod.slice().isEmpty()) { // one that is held, or one that makes room for it
      workloads.addAll(chain(new ObjectKey(pod.namespace(), pod.slice())));
    }
    return workloads;
  }

  /** The slices of an elastic job since that one. */
  public List<ObjectKey> chain(ObjectKey first) {
    return slices.since(first);
  }

  /** Whether a workload has pods that are placed or ungated one by one. */
  public static boolean hasPods(JsonNode workload) {
    return placesPods(workload) || !SliceOrder.origin(workload).isEmpty();
  }

  /** Whether it has a topology assignment for its pods. */
  public static boolean placesPods(JsonNode workload) {
    return workload
        .at("/status/admission/podSetAssignments")
        .valueStream()
        .anyMatch(it -> it.has("topologyAssignment"));
  }
}
