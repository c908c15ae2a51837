package dev.sluice.lifecycle.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.quota.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The pods of each workload, found without looking at all. Thread-safe. */
public final class WorkloadPods {
  private final ObjectLookup objects;
  private final ObjectIndex byWorkload = new ObjectIndex(WorkloadPods::workload);
  private final ObjectIndex bySlice = new ObjectIndex(WorkloadPods::slice);

  /** Nothing is known yet. */
  public WorkloadPods(ObjectLookup objects) {
    this.objects = objects;
  }

  /** A pod has changed. */
  public void note(ObjectChange change) {
    byWorkload.note(change);
    bySlice.note(change);
  }

  /** The pods that name the workload, as they were last seen or written, in the order of names. */
  public List<GatedPod> of(ObjectKey workload) {
    return found(byWorkload, workload, GatedPod::workload);
  }

  /** The pods of a job that may grow, by the first of its workloads, in the order of names. */
  public List<GatedPod> ofSlice(ObjectKey origin) {
    return found(bySlice, origin, GatedPod::slice);
  }

  /**
   * The pods that have, or wait for, places of the workload: those that name it; where its job may
   * grow those of the job that are let go, whichever of its workloads they name.
   */
  public List<GatedPod> placedBy(ObjectKey workload, String origin) {
    return origin.isEmpty()
        ? of(workload)
        : ofSlice(new ObjectKey(workload.namespace(), origin)).stream()
            .filter(it -> !it.isHeldForSlice())
            .toList();
  }

  private List<GatedPod> found(
      ObjectIndex index, ObjectKey owner, Function<GatedPod, String> named) {
    List<GatedPod> own = new ArrayList<>();
    for (ObjectKey pod : index.find(owner.toString())) {
      objects
          .find(ObjectKind.POD.id(), pod.namespace(), pod.name())
          .map(GatedPod::new)
          .filter(it -> named.apply(it).equals(owner.name()))
          .ifPresent(own::add);
    }
    return own;
  }

  private static Set<String> workload(JsonNode tree) {
    return owner(tree, GatedPod::workload);
  }

  private static Set<String> slice(JsonNode tree) {
    return owner(tree, GatedPod::slice);
  }

  private static Set<String> owner(JsonNode tree, Function<GatedPod, String> named) {
    GatedPod pod = new GatedPod(tree);
    String name = named.apply(pod);
    return name.isEmpty() ? Set.of() : Set.of(new ObjectKey(pod.namespace(), name).toString());
  }
}
