package dev.sluice.quota.request;

import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.ResourceRequirements;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * The request of one pod, as the Kubernetes scheduler computes it: the sum of the containers, or
 * the largest need during the start, for each resource; pod-level requests instead, where present;
 * plus the overhead.
 */
public final class PodRequests {
  private static final String ALWAYS = "Always";

  private PodRequests() {}

  /** The exact total of a pod, before anything is rounded; a map of the caller's own. */
  public static Map<String, BigDecimal> of(PodSpec pod) {
    Map<String, BigDecimal> total = ofContainers(pod);
    ResourceRequirements whole = pod.resources();
    if (whole != null) {
      Quantities.of(whole.requests())
          .forEach(
              (resource, quantity) -> {
                if (isSaidForPods(resource)) {
                  total.put(resource, quantity);
                }
              });
    }
    Quantities.add(total, Quantities.of(pod.overhead()));
    return total;
  }

  private static Map<String, BigDecimal> ofContainers(PodSpec pod) {
    Map<String, BigDecimal> running = new TreeMap<>();
    for (Container container : pod.containers()) {
      Quantities.add(running, requests(container));
    }
    Map<String, BigDecimal> sidecars = new TreeMap<>();
    Map<String, BigDecimal> starting = new TreeMap<>();
    for (Container container : pod.initContainers()) {
      Map<String, BigDecimal> peak = requests(container);
      if (ALWAYS.equals(container.restartPolicy())) {
        Quantities.add(running, peak);
        Quantities.add(sidecars, peak);
        peak = sidecars;
      } else {
        Quantities.add(peak, sidecars);
      }
      Quantities.raise(starting, peak);
    }
    Quantities.raise(running, starting);
    return running;
  }

  private static Map<String, BigDecimal> requests(Container container) {
    return Quantities.of(container.resources().requests());
  }

  /** Whether the resource can be requested at pod level. */
  private static boolean isSaidForPods(String resource) {
    return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
  }
}
