package dev.sluice.jobs.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.Texts;
import dev.sluice.jobs.plan.Patches;

/** The topology request in the annotations of a template. */
public final class PodSetTopology {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PodSetTopology() {}

  /**
   * The request of a Pod set.
   *
   * @param annotations those of the template
   * @param indexLabel the label that numbers the Pods
   */
  public static ObjectNode request(JsonNode annotations, String indexLabel) {
    return request(annotations).put("podIndexLabel", indexLabel);
  }

  /** The request of a Pod set whose Pods no label numbers; empty if its template asks nothing. */
  public static ObjectNode request(JsonNode annotations) {
    ObjectNode request = Patches.object();
    copy(annotations, Annotations.REQUIRED_TOPOLOGY, request, "required");
    copy(annotations, Annotations.PREFERRED_TOPOLOGY, request, "preferred");
    Texts.bool(annotations.path(Annotations.UNCONSTRAINED_TOPOLOGY).asText(""))
        .ifPresent(it -> request.put("unconstrained", it));
    copy(annotations, Annotations.POD_SET_GROUP_NAME, request, "podSetGroupName");
    copy(annotations, Annotations.SLICE_REQUIRED_TOPOLOGY, request, "podSetSliceRequiredTopology");
    Texts.shortInteger(annotations.path(Annotations.SLICE_SIZE).asText(""))
        .ifPresent(it -> request.put("podSetSliceSize", (int) it));
    constraints(
        annotations.path(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS).asText(""), request);
    return request;
  }

  private static void copy(JsonNode from, String key, ObjectNode to, String member) {
    if (from.path(key).isTextual()) {
      to.set(member, from.path(key));
    }
  }

  /** A text that is no list is none: admission has refused it. */
  private static void constraints(String text, ObjectNode request) {
    try {
      if (!text.isEmpty() && MAPPER.readTree(text) instanceof ArrayNode list && !list.isEmpty()) {
        request.set("podsetSliceRequiredTopologyConstraints", list);
      }
    } catch (JsonProcessingException e) {
      // the job is treated as if the annotation was missing
    }
  }
}
