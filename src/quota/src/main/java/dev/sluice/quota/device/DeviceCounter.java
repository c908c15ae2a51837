package dev.sluice.quota.device;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.device.DeviceRequest;
import dev.sluice.api.device.ExactDeviceRequest;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.pod.PodResourceClaim;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the devices that pods ask for, in either way: with a claim, of which the template says how
 * many devices of which class; or with a resource of a container that a class of devices serves.
 * The configuration maps classes to resources, of which each device is one unit, or as much as the
 * ResourceSlices of its driver say. A workload whose devices cannot be counted must not get quota.
 * Immutable; the same input gives the same answer.
 */
public final class DeviceCounter {
  private enum Claims {
    COUNTED,
    REFUSED,
    IGNORED
  }

  private final Claims claims;
  private final boolean extendedResources;
  private final ClassMappings mappings;
  private final ServedDevices served;

  /** A counter for this configuration. */
  public DeviceCounter(EngineConfiguration configuration) {
    this.claims = claims(configuration);
    this.mappings = new ClassMappings(configuration.resources().deviceClassMappings());
    this.served = new ServedDevices(mappings);
    this.extendedResources = configuration.countsServedResources();
  }

  private static Claims claims(EngineConfiguration configuration) {
    if (configuration.on(FeatureGate.KUEUE_DRA_INTEGRATION)) {
      return Claims.COUNTED;
    }
    return configuration.on(FeatureGate.KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED)
        ? Claims.REFUSED
        : Claims.IGNORED;
  }

  /** What the claims of one pod in that namespace count as. */
  public DeviceCount claimed(PodSpec pod, String namespace, DeviceCatalog catalog) {
    if (pod.resourceClaims().isEmpty() || claims == Claims.IGNORED) {
      return DeviceCount.NOTHING;
    }
    var tally = new Tally(namespace, catalog);
    for (int i = 0; i < pod.resourceClaims().size(); i++) {
      tally.add("resourceClaims[" + i + "]", pod.resourceClaims().get(i));
    }
    return tally.problems.isEmpty()
        ? new DeviceCount.Counted(tally.amounts)
        : new DeviceCount.Uncountable(tally.problems);
  }

  /** The requests of a pod with what devices serve under the names that those count as. */
  public Map<String, BigDecimal> served(Map<String, BigDecimal> requests, DeviceCatalog catalog) {
    return extendedResources ? served.counted(requests, catalog) : requests;
  }

  /** Why devices of the workload cannot be counted, each with its path; empty if they can. */
  public List<String> problems(Workload workload, DeviceCatalog catalog) {
    List<String> problems = new ArrayList<>();
    List<PodSet> podSets = workload.spec().podSets();
    for (int i = 0; i < podSets.size(); i++) {
      PodSpec pod = podSets.get(i).template().spec();
      String path = "spec.podSets[" + i + "].template.spec.";
      if (claimed(pod, workload.metadata().namespace(), catalog)
          instanceof DeviceCount.Uncountable(var found)) {
        found.forEach(problem -> problems.add(path + problem));
      }
      if (extendedResources && mappings.haveSources()) {
        served.problems(pod, catalog).forEach(problem -> problems.add(path + problem));
      }
    }
    return problems;
  }

  /** Whether what the workload counts as depends on ResourceSlices. */
  public boolean readsSlices(Workload workload, DeviceCatalog catalog) {
    return mappings.haveSources()
        && workload.spec().podSets().stream()
            .map(podSet -> podSet.template().spec())
            .anyMatch(pod -> !pod.resourceClaims().isEmpty() || readsSlices(pod, catalog));
  }

  private boolean readsSlices(PodSpec pod, DeviceCatalog catalog) {
    return extendedResources && served.readsSlices(pod, catalog);
  }

  /** The sum over the claims of one pod. */
  private final class Tally {
    private final String namespace;
    private final DeviceCatalog catalog;
    private final Map<String, Long> amounts = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    Tally(String namespace, DeviceCatalog catalog) {
      this.namespace = namespace;
      this.catalog = catalog;
    }

    void add(String path, PodResourceClaim claim) {
      String name = claim.resourceClaimTemplateName();
      if (claims == Claims.REFUSED) {
        problem(path, "devices are not counted (expected: feature gate KueueDRAIntegration)");
      } else if (claim.resourceClaimName() != null) {
        problem(
            path,
            "ResourceClaim %s is for more than this pod, so nobody knows whose it counts as (expected: resourceClaimTemplateName)"
                .formatted(claim.resourceClaimName()));
      } else if (name == null) {
        problem(path, "names no template (expected: resourceClaimTemplateName)");
      } else if (mappings.isEmpty()) {
        problem(path, "no devices are counted (expected: resources.deviceClassMappings)");
      } else {
        addTemplate(path, name);
      }
    }

    private void addTemplate(String path, String name) {
      ResourceClaimTemplate template = catalog.template(namespace, name);
      if (template == null) {
        problem(path, "there is no ResourceClaimTemplate %s/%s".formatted(namespace, name));
        return;
      }
      for (DeviceRequest request : template.spec().spec().devices().requests()) {
        add(
            "%s: ResourceClaimTemplate %s/%s, request %s"
                .formatted(path, namespace, name, request.name()),
            request);
      }
    }

    private void add(String place, DeviceRequest request) {
      ExactDeviceRequest exactly = request.exactly();
      if (exactly == null) {
        problem(place, "leaves open which devices are taken (expected: exactly)");
      } else if (!exactly.allocationMode().equals("ExactCount")) {
        problem(
            place,
            "allocationMode %s says no number (expected: ExactCount)"
                .formatted(exactly.allocationMode()));
      } else if (exactly.adminAccess()) {
        problem(place, "adminAccess is to devices that others have (expected: none)");
      } else if (exactly.count() < 0) {
        problem(place, exactly.count() + " devices (expected: 1 or more)");
      } else {
        add(place, exactly);
      }
    }

    private void add(String place, ExactDeviceRequest request) {
      String deviceClass = request.deviceClassName();
      long count = Math.max(1, request.count());
      if (mappings.of(deviceClass).isEmpty()) {
        problem(place, ClassMappings.problem(deviceClass));
      }
      for (DeviceClassMapping mapping : mappings.of(deviceClass)) {
        if (mapping.sources().isEmpty()) {
          amounts.merge(mapping.name(), count, Amounts::plus);
        } else {
          add(place, mapping, request, count);
        }
      }
    }

    private void add(
        String place, DeviceClassMapping mapping, ExactDeviceRequest request, long count) {
      SourceCount counted =
          SourceCount.of(
              mapping,
              request.deviceClassName(),
              request.selectors(),
              request.capacity().requests(),
              BigDecimal.valueOf(count),
              catalog);
      switch (counted) {
        case SourceCount.Counted(var amount) -> {
          long units = Amount.requested("", amount);
          amounts.merge(mapping.name(), Amounts.times(units, count), Amounts::plus);
        }
        case SourceCount.Uncountable(var problem) -> problem(place, problem);
      }
    }

    private void problem(String place, String sentence) {
      problems.add(place + ": " + sentence);
    }
  }
}
