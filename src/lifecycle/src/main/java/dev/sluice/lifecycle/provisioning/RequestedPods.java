package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.ResourceRequirements;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.Patches;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Pods of a Workload that are requested from an autoscaler, and their templates. */
final class RequestedPods {
  private final CheckedWorkload workload;
  private final ProvisioningRequestConfigSpec config;

  RequestedPods(CheckedWorkload workload, ProvisioningRequestConfigSpec config) {
    this.workload = workload;
    this.config = config;
  }

  /** Whether it has Pods that ask for something that the autoscaler manages. */
  boolean areAny() {
    return podSets().stream().anyMatch(this::isRequested);
  }

  /**
   * The pod sets in the order of the Workload, merged as configured; with the node labels and
   * tolerations of their flavors, as the Pods will have them.
   *
   * @param flavors finds ResourceFlavors by their names
   * @return empty if a flavor is not seen yet
   */
  Optional<List<RequestedPodSet>> list(Function<String, Optional<JsonNode>> flavors) {
    List<RequestedPodSet> requested = new ArrayList<>();
    for (int i = 0; i < podSets().size(); i++) {
      PodSet podSet = podSets().get(i);
      if (isRequested(podSet)) {
        Optional<ObjectNode> template = template(i, podSet, flavors);
        if (template.isEmpty()) {
          return Optional.empty();
        }
        requested.add(new RequestedPodSet(List.of(podSet.name()), count(podSet), template.get()));
      }
    }
    return Optional.of(RequestedPodSet.merged(requested, config.podSetMergePolicy()));
  }

  private List<PodSet> podSets() {
    return workload.typed().spec().podSets();
  }

  private boolean isRequested(PodSet podSet) {
    return count(podSet) > 0
        && (config.managedResources().isEmpty()
            || config.managedResources().stream().anyMatch(it -> asks(podSet, it)));
  }

  private int count(PodSet podSet) {
    return assignment(podSet).map(PodSetAssignment::count).orElse(podSet.count());
  }

  private Optional<PodSetAssignment> assignment(PodSet podSet) {
    Admission admission = workload.typed().status().admission();
    return admission == null
        ? Optional.empty()
        : admission.podSetAssignments().stream()
            .filter(it -> it.name().equals(podSet.name()))
            .findFirst();
  }

  /** What quota counts may differ from what containers say, as with devices that are claimed. */
  private boolean asks(PodSet podSet, String resource) {
    boolean counted =
        assignment(podSet).filter(it -> isSome(it.resourceUsage().get(resource))).isPresent();
    PodSpec spec = podSet.template().spec();
    ResourceRequirements whole = spec.resources();
    return counted
        || (whole != null && asks(whole, resource))
        || Stream.concat(spec.containers().stream(), spec.initContainers().stream())
            .map(Container::resources)
            .anyMatch(it -> asks(it, resource));
  }

  /** A container that only has a limit asks for as much. */
  private static boolean asks(ResourceRequirements resources, String resource) {
    return isSome(resources.requests().get(resource)) || isSome(resources.limits().get(resource));
  }

  private static boolean isSome(@Nullable Quantity quantity) {
    return quantity != null && quantity.signum() > 0;
  }

  private Optional<ObjectNode> template(
      int index, PodSet podSet, Function<String, Optional<JsonNode>> flavors) {
    Map<String, String> labels = new LinkedHashMap<>();
    Set<JsonNode> tolerations = new LinkedHashSet<>();
    Set<String> names =
        new LinkedHashSet<>(
            assignment(podSet).map(PodSetAssignment::flavors).orElse(Map.of()).values());
    for (String name : names) {
      Optional<JsonNode> flavor = flavors.apply(name);
      if (flavor.isEmpty()) {
        return Optional.empty();
      }
      JsonNode spec = flavor.get().path("spec");
      spec.path("nodeLabels")
          .properties()
          .forEach(it -> labels.putIfAbsent(it.getKey(), it.getValue().asText()));
      spec.path("tolerations").forEach(tolerations::add);
    }
    ObjectNode template = original(index);
    // a selector that contradicts the flavor stays: the job fails on it when it starts
    var _ =
        new Injection(
                podSet.name(),
                count(podSet),
                false,
                0,
                Map.of(),
                Map.of(),
                labels,
                List.copyOf(tolerations),
                false)
            .into(template);
    return Optional.of(template);
  }

  /** The template of the Workload without what only holds the Pods back. */
  private ObjectNode original(int index) {
    JsonNode tree = workload.tree().path("spec").path("podSets").path(index).path("template");
    ObjectNode template = tree.deepCopy() instanceof ObjectNode it ? it : Patches.object();
    ObjectNode spec = Patches.child(template, "spec");
    if (spec.path("schedulingGates") instanceof ArrayNode gates) {
      gates.removeIf(it -> it.path("name").asText().startsWith(Domains.KUEUE));
      if (gates.isEmpty()) {
        spec.remove("schedulingGates");
      }
    }
    return template;
  }
}
