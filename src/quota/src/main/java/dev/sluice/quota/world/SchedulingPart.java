package dev.sluice.quota.world;

import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import java.util.List;
import java.util.Objects;

/** A pod, equal to others that only differ in what does not matter for scheduling, as in names. */
// It is a view and no copy: there is one for each shape of a million workloads.
final class SchedulingPart {
  private final PodSpec spec;

  SchedulingPart(PodSpec spec) {
    this.spec = spec;
  }

  PodSpec spec() {
    return spec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SchedulingPart that
        && alike(spec.containers(), that.spec.containers())
        && alike(spec.initContainers(), that.spec.initContainers())
        && Objects.equals(spec.resources(), that.spec.resources())
        && spec.overhead().equals(that.spec.overhead())
        && Objects.equals(spec.runtimeClassName(), that.spec.runtimeClassName())
        && spec.nodeSelector().equals(that.spec.nodeSelector())
        && Objects.equals(spec.affinity(), that.spec.affinity())
        && spec.tolerations().equals(that.spec.tolerations())
        && spec.topologySpreadConstraints().equals(that.spec.topologySpreadConstraints())
        && Objects.equals(spec.priority(), that.spec.priority())
        && spec.resourceClaims().equals(that.spec.resourceClaims());
  }

  private static boolean alike(List<Container> some, List<Container> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      Container one = some.get(i);
      Container other = others.get(i);
      if (!one.resources().equals(other.resources())
          || !Objects.equals(one.restartPolicy(), other.restartPolicy())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = Objects.hash(spec.nodeSelector(), spec.tolerations(), spec.overhead());
    for (Container container : spec.containers()) {
      hash = 31 * hash + container.resources().hashCode();
    }
    return hash;
  }
}
