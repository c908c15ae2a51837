package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.scheduler.jobwork.Index;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The pods of each workload, found without looking at all. Thread-safe. */
public final class WorkloadPods {
  private final Objects objects;
  private final Index byWorkload = new Index(WorkloadPods::workload);

  /** Nothing is known yet. */
  public WorkloadPods(Objects objects) {
    this.objects = objects;
  }

  /** A pod has changed. */
  public void note(ObjectChange change) {
    byWorkload.note(change);
  }

  /** The pods that name the workload, as they were last seen or written, in the order of names. */
  public List<GatedPod> of(ObjectKey workload) {
    List<GatedPod> own = new ArrayList<>();
    for (ObjectKey pod : byWorkload.find(workload.toString())) {
      objects
          .find(Kinds.POD, pod.namespace(), pod.name())
          .map(GatedPod::new)
          .filter(it -> it.workload().equals(workload.name()))
          .ifPresent(own::add);
    }
    return own;
  }

  private static Set<String> workload(JsonNode tree) {
    GatedPod pod = new GatedPod(tree);
    return pod.workload().isEmpty()
        ? Set.of()
        : Set.of(new ObjectKey(pod.namespace(), pod.workload()).toString());
  }
}
