package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.check.PodSetMergePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are requested together.
 *
 * @param members their pod sets in the Workload; the first gives its name
 * @param template the template of the Pods
 */
record RequestedPodSet(List<String> members, int count, ObjectNode template) {
  private static final List<String> CONTAINER_LISTS = List.of("containers", "initContainers");

  /** What decides where a Pod fits, beside the requests of its containers. */
  private static final List<String> OF_SCHEDULING =
      List.of("resources", "nodeSelector", "tolerations", "affinity", "resourceClaims");

  RequestedPodSet {
    members = List.copyOf(members);
  }

  String name() {
    return members.getFirst();
  }

  /** The same Pods in fewer sets, by the policy; null merges none. */
  static List<RequestedPodSet> merged(
      List<RequestedPodSet> podSets, @Nullable PodSetMergePolicy policy) {
    if (policy == null) {
      return podSets;
    }
    List<RequestedPodSet> merged = new ArrayList<>();
    for (RequestedPodSet podSet : podSets) {
      int alike = alike(merged, podSet, policy);
      if (alike < 0) {
        merged.add(podSet);
      } else {
        merged.set(alike, merged.get(alike).and(podSet));
      }
    }
    return merged;
  }

  private static int alike(
      List<RequestedPodSet> merged, RequestedPodSet podSet, PodSetMergePolicy policy) {
    JsonNode wanted = podSet.compared(policy);
    for (int i = 0; i < merged.size(); i++) {
      if (merged.get(i).compared(policy).equals(wanted)) {
        return i;
      }
    }
    return -1;
  }

  private RequestedPodSet and(RequestedPodSet other) {
    List<String> all = new ArrayList<>(members);
    all.addAll(other.members);
    return new RequestedPodSet(all, count + other.count, template);
  }

  private JsonNode compared(PodSetMergePolicy policy) {
    return switch (policy) {
      case IDENTICAL_POD_TEMPLATES -> template;
      case IDENTICAL_WORKLOAD_SCHEDULING_REQUIREMENTS -> requirements(template.path("spec"));
    };
  }

  private static JsonNode requirements(JsonNode spec) {
    ObjectNode requirements = JsonNodeFactory.instance.objectNode();
    for (String list : CONTAINER_LISTS) {
      ArrayNode requests = requirements.putArray(list);
      spec.path(list).forEach(it -> requests.add(it.path("resources").path("requests")));
    }
    for (String member : OF_SCHEDULING) {
      requirements.set(member, spec.path(member));
    }
    return requirements;
  }
}
