package dev.sluice.quota.request;

import dev.sluice.api.Quantity;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.core.RuntimeOverhead;
import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.PodTemplate;
import dev.sluice.api.pod.ResourceRequirements;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster makes of pods before they are counted, in this order: the overhead of their
 * runtime class, the defaults of the namespace's LimitRanges, and a request as high as the limit
 * where only a limit is given. Objects in the API server are never changed by this.
 */
public final class PodAdjustments {
  private final NamespaceLimits limits;
  private final Function<String, @Nullable RuntimeClass> runtimeClasses;

  /**
   * Adjustments for one namespace.
   *
   * @param runtimeClasses finds a runtime class by name; null where there is none, and pods that
   *     name it then have no overhead
   */
  public PodAdjustments(
      NamespaceLimits limits, Function<String, @Nullable RuntimeClass> runtimeClasses) {
    this.limits = limits;
    this.runtimeClasses = runtimeClasses;
  }

  /** The workload with adjusted pods. */
  public Workload adjust(Workload workload) {
    WorkloadSpec spec = workload.spec();
    if (areAdjusted(spec.podSets())) {
      return workload;
    }
    return workload.with(spec.with(spec.podSets().stream().map(this::adjust).toList()));
  }

  private boolean areAdjusted(List<PodSet> podSets) {
    for (PodSet podSet : podSets) {
      if (!isAdjusted(podSet.template().spec())) {
        return false;
      }
    }
    return true;
  }

  private static boolean limitNothing(List<Container> containers) {
    for (Container container : containers) {
      if (!container.resources().limits().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is nothing to adjust, as for most pods. */
  private boolean isAdjusted(PodSpec pod) {
    ResourceRequirements whole = pod.resources();
    return pod.runtimeClassName() == null
        && !limits.container().hasDefaults()
        && limitNothing(pod.containers())
        && limitNothing(pod.initContainers())
        && (whole == null || (whole.limits().isEmpty() && !limits.pod().hasDefaults()));
  }

  private PodSet adjust(PodSet podSet) {
    PodTemplate template = podSet.template();
    return podSet.with(new PodTemplate(template.metadata(), adjust(template.spec())));
  }

  /** The pod with its overhead, its defaults and its limits as requests. */
  public PodSpec adjust(PodSpec pod) {
    ResourceRequirements whole = pod.resources();
    return pod.toBuilder()
        .containers(adjustAll(pod.containers()))
        .initContainers(adjustAll(pod.initContainers()))
        .resources(whole == null ? null : adjust(whole, limits.pod()))
        .overhead(overhead(pod))
        .build();
  }

  private Map<String, Quantity> overhead(PodSpec pod) {
    String name = pod.runtimeClassName();
    if (name == null || !pod.overhead().isEmpty()) {
      return pod.overhead();
    }
    RuntimeClass runtimeClass = runtimeClasses.apply(name);
    RuntimeOverhead overhead = runtimeClass == null ? null : runtimeClass.overhead();
    return overhead == null ? Map.of() : overhead.podFixed();
  }

  private List<Container> adjustAll(List<Container> containers) {
    return containers.stream()
        .map(
            container ->
                new Container(
                    container.name(),
                    adjust(container.resources(), limits.container()),
                    container.restartPolicy()))
        .toList();
  }

  private static ResourceRequirements adjust(ResourceRequirements resources, LimitSummary summary) {
    Map<String, Quantity> bounds = filled(resources.limits(), summary.defaultLimit());
    Map<String, Quantity> requests = filled(resources.requests(), summary.defaultRequest());
    return new ResourceRequirements(filled(requests, bounds), bounds, resources.claims());
  }

  private static Map<String, Quantity> filled(
      Map<String, Quantity> list, Map<String, Quantity> defaults) {
    return LimitSummary.merged(list, defaults, (own, _) -> own);
  }
}
