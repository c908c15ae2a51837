package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Pod of the head, with the quota of what the operator adds to it, or runs after it. */
final class HeadPod {
  private static final Map<String, String> AUTOSCALER = Map.of("cpu", "500m", "memory", "512Mi");
  private static final Map<String, String> REDIS_CLEANUP = Map.of("cpu", "200m", "memory", "256Mi");

  private HeadPod() {}

  /**
   * Its template, which may share parts with the specification.
   *
   * @param spec the specification of the cluster
   * @param usesRedis whether a Pod deletes data in Redis once that of the head is gone
   */
  static JsonNode template(JsonNode spec, boolean usesRedis) {
    JsonNode template =
        PodSetShape.template(spec.path("headGroupSpec").path("template"), List.of());
    if (usesRedis) {
      template = template.deepCopy();
      if (rayContainer(template) instanceof ObjectNode ray) {
        raise(Patches.child(ray, "resources"));
      }
    }
    return spec.path("enableInTreeAutoscaling").asBoolean()
        ? with(autoscaler(spec), template)
        : template;
  }

  /** The first container of a template: the operator runs Ray in it. */
  static JsonNode rayContainer(JsonNode template) {
    return template.path("spec").path("containers").path(0);
  }

  /** A copy of a template with one more container. */
  static JsonNode with(ObjectNode container, JsonNode template) {
    ObjectNode copy = template.deepCopy();
    Patches.list(Patches.child(copy, "spec"), "containers").add(container);
    return copy;
  }

  private static ObjectNode autoscaler(JsonNode spec) {
    JsonNode options = spec.path("autoscalerOptions");
    ObjectNode container = Patches.object().put("name", "autoscaler");
    Optional.of(options.path("image"))
        .filter(JsonNode::isTextual)
        .or(
            () ->
                Optional.of(
                    rayContainer(spec.path("headGroupSpec").path("template")).path("image")))
        .filter(JsonNode::isTextual)
        .ifPresent(it -> container.set("image", it));
    if (options.path("resources").isObject()) {
      container.set("resources", options.path("resources").deepCopy());
    } else {
      ObjectNode resources = container.putObject("resources");
      AUTOSCALER.forEach(resources.putObject("requests")::put);
      AUTOSCALER.forEach(resources.putObject("limits")::put);
    }
    return container;
  }

  /** Makes room for the Pod that comes later; a limit below that would make the request invalid. */
  private static void raise(ObjectNode resources) {
    REDIS_CLEANUP.forEach(
        (resource, least) -> {
          JsonNode limit = resources.path("limits").path(resource);
          JsonNode request = resources.path("requests").path(resource);
          if (isLess(request.isMissingNode() ? limit : request, least)) {
            Patches.child(resources, "requests").put(resource, least);
          }
          if (!limit.isMissingNode() && isLess(limit, least)) {
            Patches.child(resources, "limits").put(resource, least);
          }
        });
  }

  private static boolean isLess(JsonNode amount, String least) {
    Optional<Quantity> there = Quantity.parse(amount.asText(""));
    return there.isEmpty() || there.get().compareTo(Quantity.parse(least).orElseThrow()) < 0;
  }
}
