package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.scheduler.write.ObjectRef;
import dev.sluice.scheduler.write.Write;
import dev.sluice.webhook.rules.jobs.Keys;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A pod of a workload whose pods are placed by topology, as the API server has it. */
record GatedPod(JsonNode tree) {
  static final String POD_SET = Keys.DOMAIN + "podset";
  static final String WORKLOAD = Keys.DOMAIN + "workload";

  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final String MANAGER = "kueue";

  /** The PodSet it belongs to. */
  String podSet() {
    return tree.at("/metadata/labels").path(POD_SET).asText();
  }

  /** The workload it belongs to, in its namespace; empty for none. */
  String workload() {
    return tree.at("/metadata/annotations").path(WORKLOAD).asText();
  }

  String namespace() {
    return tree.at("/metadata/namespace").asText();
  }

  String name() {
    return tree.at("/metadata/name").asText();
  }

  /** Whether it may still run. */
  boolean isLive() {
    String phase = tree.at("/status/phase").asText();
    return !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  /** Whether it waits to be placed. A pod that is being deleted waits for nothing any more. */
  boolean isGated() {
    return !tree.path("metadata").has("deletionTimestamp") && gates().anyMatch(this::isOurs);
  }

  private Stream<JsonNode> gates() {
    return tree.at("/spec/schedulingGates").valueStream();
  }

  private boolean isOurs(JsonNode gate) {
    return gate.path("name").asText().equals(Keys.TOPOLOGY_GATE);
  }

  /** A number in a label, which numbers the pods; empty where there is none. */
  OptionalInt number(String label) {
    return number(tree.at("/metadata/labels").path(label));
  }

  /** How far the numbers of its PodSet are moved; 0 unless it says so. */
  int offset() {
    return number(tree.at("/metadata/annotations").path(Keys.POD_INDEX_OFFSET)).orElse(0);
  }

  private static OptionalInt number(JsonNode text) {
    try {
      int number = Integer.parseInt(text.asText());
      return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException _) {
      return OptionalInt.empty();
    }
  }

  /** Whether the pod is bound to that domain. */
  boolean isIn(List<String> levels, List<String> values) {
    JsonNode selector = tree.at("/spec/nodeSelector");
    for (int i = 0; i < levels.size(); i++) {
      if (!selector.path(levels.get(i)).asText().equals(values.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Binds it to that domain and takes its gate off, in one write, unless it changed meanwhile. */
  Write place(List<String> levels, List<String> values) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = patch.putObject("spec");
    ObjectNode selector = spec.putObject("nodeSelector");
    for (int i = 0; i < levels.size(); i++) {
      selector.put(levels.get(i), values.get(i));
    }
    ArrayNode left = spec.putArray("schedulingGates");
    gates().filter(gate -> !isOurs(gate)).forEach(left::add);
    return new Write.MergePatch(
        new ObjectRef(POD, namespace(), name(), tree.at("/metadata/uid").asText()),
        "",
        patch,
        MANAGER,
        tree.at("/metadata/resourceVersion").asText());
  }
}
