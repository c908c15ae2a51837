package dev.sluice.quota.request;

import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.ReclaimablePod;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.device.DeviceCount;
import dev.sluice.quota.device.DeviceCounter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests and usage of workloads, in counted amounts. The pods must have been adjusted before, see
 * {@link PodAdjustments}. Immutable.
 */
public final class RequestReader {
  private final Resources settings;
  private final boolean reclaimablePods;
  private final Transformer transformer;
  private final DeviceCounter devices;

  /**
   * A reader for this configuration.
   *
   * @param reclaimablePods whether reclaimable pods are not counted
   */
  public RequestReader(Resources settings, boolean reclaimablePods, DeviceCounter devices) {
    this.settings = settings;
    this.reclaimablePods = reclaimablePods;
    this.transformer = new Transformer(settings.transformations());
    this.devices = devices;
  }

  /**
   * What a workload without quota asks for, pod set by pod set, for the pods still wanted. Devices
   * that cannot be counted are left out.
   */
  public List<PodSetRequests> requested(Workload workload, DeviceCatalog catalog) {
    List<PodSetRequests> requested = new ArrayList<>();
    for (PodSet podSet : workload.spec().podSets()) {
      int count = effectiveCount(workload, podSet);
      Requests pod = perPod(podSet.template().spec(), workload.metadata().namespace(), catalog);
      requested.add(new PodSetRequests(podSet.name(), count, pod.times(count)));
    }
    return requested;
  }

  /** What one pod of a set counts as, never less than nothing, but for devices that it claims. */
  public Requests perPod(PodSet podSet) {
    return perPod(podSet.template().spec(), "", DeviceCatalog.EMPTY);
  }

  /** What one pod counts as, never less than nothing. */
  private Requests perPod(PodSpec spec, String namespace, DeviceCatalog catalog) {
    Map<String, BigDecimal> pod = PodRequests.of(spec);
    if (!settings.excludedPrefixes().isEmpty()) {
      pod.keySet().removeIf(this::isExcluded);
    }
    Map<String, BigDecimal> counted = devices.served(transformer.transform(pod), catalog);
    if (devices.claimed(spec, namespace, catalog) instanceof DeviceCount.Counted(var claimed)) {
      claimed.forEach(
          (resource, amount) ->
              counted.merge(resource, BigDecimal.valueOf(amount), BigDecimal::add));
    }
    return Requests.ofQuantities(counted);
  }

  private boolean isExcluded(String resource) {
    return settings.excludedPrefixes().stream().anyMatch(resource::startsWith);
  }

  /**
   * The usage of an admitted workload, assignment by assignment, without its reclaimable pods.
   *
   * <p>An assignment that does not say how many pods it is for is for all of its set.
   */
  public List<PodSetRequests> reserved(Workload workload, Admission admission) {
    List<PodSetRequests> reserved = new ArrayList<>();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      reserved.add(reserved(workload, assignment));
    }
    return reserved;
  }

  private PodSetRequests reserved(Workload workload, PodSetAssignment assignment) {
    PodSet podSet = podSet(workload, assignment.name());
    Integer assigned = assignment.count();
    int own = podSet == null ? 0 : podSet.count();
    int count = assigned == null ? own : Math.max(0, assigned);
    var all = new PodSetRequests(assignment.name(), count, usage(assignment));
    int wanted = podSet == null ? count : effectiveCount(workload, podSet);
    return wanted < count ? all.scaledTo(wanted) : all;
  }

  private static @Nullable PodSet podSet(Workload workload, String name) {
    for (PodSet podSet : workload.spec().podSets()) {
      if (podSet.name().equals(name)) {
        return podSet;
      }
    }
    return null;
  }

  /** What all pods of an assignment take. */
  public static Requests usage(PodSetAssignment assignment) {
    Map<String, Long> usage = new TreeMap<>();
    assignment
        .resourceUsage()
        .forEach((resource, quantity) -> usage.put(resource, Amount.requested(resource, quantity)));
    return Requests.of(usage);
  }

  /** The number of pods of a set that still count: all but the reclaimable ones. */
  public int effectiveCount(Workload workload, PodSet podSet) {
    int count = Math.max(0, podSet.count());
    if (!reclaimablePods) {
      return count;
    }
    for (ReclaimablePod pods : workload.status().reclaimablePods()) {
      if (pods.name().equals(podSet.name())) {
        return count - Math.clamp(pods.count(), 0, count);
      }
    }
    return count;
  }
}
