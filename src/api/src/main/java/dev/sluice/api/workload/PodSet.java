package dev.sluice.api.workload;

import dev.sluice.api.meta.Default;
import dev.sluice.api.pod.PodTemplate;
import org.jspecify.annotations.Nullable;

/** Pods that are all alike. */
public record PodSet(
    @Default("main") String name,
    PodTemplate template,
    @Default("1") int count,
    @Nullable Integer minCount,
    @Nullable TopologyRequest topologyRequest) {
  public PodSet {
    name = name.intern(); // one of few for very many objects
  }

  /** The same with pods made from another template. */
  public PodSet with(PodTemplate changed) {
    return new PodSet(name, changed, count, minCount, topologyRequest);
  }
}
