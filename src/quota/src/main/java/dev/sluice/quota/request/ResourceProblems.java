package dev.sluice.quota.request;

import dev.sluice.api.Quantity;
import dev.sluice.api.pod.Container;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.ResourceRequirements;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Why pods could never be created as they are: a request above its limit, or something outside the
 * bounds of the namespace. A workload with such pods must not get quota. The pods must have been
 * adjusted before, see {@link PodAdjustments}.
 */
public final class ResourceProblems {
  /** Kueue's words, by which users and alerts find the message. */
  private static final String LIMIT_RANGE = "resources didn't satisfy LimitRange constraints: ";

  private record Problem(boolean ofLimitRange, String sentence) {}

  private final NamespaceLimits limits;
  private final List<Problem> problems = new ArrayList<>();

  private ResourceProblems(NamespaceLimits limits) {
    this.limits = limits;
  }

  /** One sentence for each problem, with the path of its field; empty if all is well. */
  public static List<String> of(Workload workload, NamespaceLimits limits) {
    return found(workload, limits).stream().map(Problem::sentence).toList();
  }

  /** The same as one message, with what a LimitRange forbids first; empty if all is well. */
  public static Optional<String> message(Workload workload, NamespaceLimits limits) {
    Map<Boolean, List<String>> byKind =
        found(workload, limits).stream()
            .collect(
                Collectors.partitioningBy(
                    Problem::ofLimitRange,
                    Collectors.mapping(Problem::sentence, Collectors.toList())));
    List<String> parts = new ArrayList<>();
    List<String> ofLimitRange = byKind.getOrDefault(true, List.of());
    if (!ofLimitRange.isEmpty()) {
      parts.add(LIMIT_RANGE + String.join("; ", ofLimitRange));
    }
    parts.addAll(byKind.getOrDefault(false, List.of()));
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
  }

  private static List<Problem> found(Workload workload, NamespaceLimits limits) {
    var found = new ResourceProblems(limits);
    List<PodSet> podSets = workload.spec().podSets();
    for (int i = 0; i < podSets.size(); i++) {
      found.check("spec.podSets[" + i + "].template.spec", podSets.get(i).template().spec());
    }
    return List.copyOf(found.problems);
  }

  private void check(String path, PodSpec pod) {
    checkAll(path + ".initContainers", pod.initContainers());
    checkAll(path + ".containers", pod.containers());
    ResourceRequirements whole = pod.resources();
    if (whole != null) {
      checkRequests(path + ".resources", whole);
    }
    if (limits.pod().hasBounds()) {
      Map<String, BigDecimal> total = PodRequests.of(pod);
      checkBounds(path, total, total, limits.pod());
    }
  }

  private void checkAll(String path, List<Container> containers) {
    for (int i = 0; i < containers.size(); i++) {
      String at = path + "[" + i + "].resources";
      ResourceRequirements resources = containers.get(i).resources();
      checkRequests(at, resources);
      if (limits.container().hasBounds()) {
        checkBounds(
            at,
            Quantities.of(merged(resources, LimitSummary::smaller)),
            Quantities.of(merged(resources, LimitSummary::larger)),
            limits.container());
      }
    }
  }

  /** Requests and limits of a container, one of them for each resource. */
  private static Map<String, Quantity> merged(
      ResourceRequirements resources, BinaryOperator<Quantity> choice) {
    return LimitSummary.merged(resources.requests(), resources.limits(), choice);
  }

  private void checkRequests(String path, ResourceRequirements resources) {
    if (resources.limits().isEmpty()) {
      return;
    }
    resources
        .requests()
        .forEach(
            (resource, request) -> {
              Quantity limit = resources.limits().get(resource);
              if (limit != null && request.compareTo(limit) > 0) {
                report(
                    false,
                    path + ".requests",
                    resource,
                    request.value(),
                    "at most the limit " + limit);
              }
            });
  }

  private void checkBounds(
      String path,
      Map<String, BigDecimal> least,
      Map<String, BigDecimal> most,
      LimitSummary bounds) {
    bounds
        .min()
        .forEach(
            (resource, min) -> {
              BigDecimal quantity = least.get(resource);
              if (quantity != null && quantity.compareTo(min.value()) < 0) {
                report(true, path, resource, quantity, "at least " + min + ", by a LimitRange");
              }
            });
    bounds
        .max()
        .forEach(
            (resource, max) -> {
              BigDecimal quantity = most.get(resource);
              if (quantity != null && quantity.compareTo(max.value()) > 0) {
                report(true, path, resource, quantity, "at most " + max + ", by a LimitRange");
              }
            });
  }

  private void report(
      boolean ofLimitRange, String path, String resource, BigDecimal quantity, String expected) {
    problems.add(
        new Problem(
            ofLimitRange,
            "%s[%s]: %s (expected: %s)"
                .formatted(path, resource, quantity.toPlainString(), expected)));
  }
}
