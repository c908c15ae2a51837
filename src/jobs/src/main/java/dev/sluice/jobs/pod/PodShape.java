package dev.sluice.jobs.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.Quantity;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * The parts of a Pod that matter for scheduling: its requests and constraints, not its names,
 * images or volumes. Two Pods of one shape have one {@link #hash}, which is the one Kueue computes.
 */
public final class PodShape {
  private static final String RESOURCES = "resources";
  private static final String AFFINITY = "affinity";
  private static final String REQUESTS = "requests";
  private static final String OVERHEAD = "overhead";
  private static final List<String> CONTAINER_LISTS = List.of("containers", "initContainers");

  /** In the order of the text that is hashed. */
  private static final List<String> MEMBERS =
      List.of(
          AFFINITY,
          "containers",
          "initContainers",
          "nodeSelector",
          OVERHEAD,
          "priority",
          "resourceClaims",
          RESOURCES,
          "runtimeClassName",
          "tolerations",
          "topologySpreadConstraints");

  private PodShape() {}

  /** The first 8 hexadecimal digits of the shape's SHA-256. */
  public static String hash(JsonNode podSpec) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.set("spec", shape(podSpec));
    byte[] text = escaped(root.toString()).getBytes(UTF_8);
    return HexFormat.of().formatHex(sha256(text), 0, 4);
  }

  // as Go writes JSON, so that the text, and with it the hash, is the same
  private static String escaped(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static ObjectNode shape(JsonNode spec) {
    ObjectNode shape = JsonNodeFactory.instance.objectNode();
    for (String member : MEMBERS) {
      if (!member.equals(RESOURCES) || isPresent(spec.path(RESOURCES))) {
        shape.set(member, member(spec, member));
      }
    }
    return shape;
  }

  private static JsonNode member(JsonNode spec, String name) {
    JsonNode value = spec.path(name);
    return switch (name) {
      case "containers", "initContainers" -> containers(value);
      case RESOURCES -> quantities(value.path(REQUESTS));
      case OVERHEAD -> quantities(value);
      case "nodeSelector" -> orNull(sorted(value));
      case AFFINITY -> isPresent(value) ? cleaned(value) : NullNode.getInstance(); // {} is one
      default -> orNull(cleaned(value));
    };
  }

  private static JsonNode containers(JsonNode list) {
    if (!list.isArray() || list.isEmpty()) {
      return NullNode.getInstance();
    }
    ArrayNode shapes = JsonNodeFactory.instance.arrayNode();
    for (JsonNode container : list) {
      ObjectNode shape = shapes.addObject();
      shape.set("ports", ports(container));
      shape.putObject(RESOURCES).set(REQUESTS, requests(container));
    }
    return shapes;
  }

  private static JsonNode ports(JsonNode container) {
    return orNull(cleaned(container.path("ports")));
  }

  private static JsonNode requests(JsonNode container) {
    return quantities(container.path(RESOURCES).path(REQUESTS));
  }

  private static JsonNode quantities(JsonNode map) {
    ObjectNode canonical = JsonNodeFactory.instance.objectNode();
    sorted(map)
        .properties()
        .forEach(it -> canonical.set(it.getKey(), canonicalQuantity(it.getValue())));
    return orNull(canonical);
  }

  private static JsonNode canonicalQuantity(JsonNode value) {
    return Field.root(value)
        .quantity()
        .map(Quantity::toString)
        .<JsonNode>map(TextNode::valueOf)
        .orElse(value);
  }

  private static JsonNode sorted(JsonNode map) {
    TreeMap<String, JsonNode> members = new TreeMap<>();
    map.properties().forEach(it -> members.put(it.getKey(), it.getValue()));
    ObjectNode sorted = JsonNodeFactory.instance.objectNode();
    members.forEach(sorted::set);
    return sorted;
  }

  /** The value as the API writes it: no empty members, labels in the order of their keys. */
  private static JsonNode cleaned(JsonNode value) {
    if (value.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      value.forEach(item -> list.add(cleaned(item)));
      return list;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    value
        .properties()
        .forEach(
            it -> {
              if (!isEmpty(it.getValue())) {
                boolean isLabels = it.getKey().equals("matchLabels");
                object.set(it.getKey(), isLabels ? sorted(it.getValue()) : cleaned(it.getValue()));
              }
            });
    return object;
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || (value.isTextual() && value.textValue().isEmpty())
        || (value.isArray() && value.isEmpty());
  }

  private static JsonNode orNull(JsonNode value) {
    boolean isNothing = value.isMissingNode() || (value.isContainerNode() && value.isEmpty());
    return isNothing ? NullNode.getInstance() : value;
  }

  private static boolean isPresent(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  /** Adds a violation for each part of the shape that is not as it was. */
  public static void checkSame(
      Field before, Field after, String detail, ValidationResult findings) {
    ObjectNode old = shape(before.node());
    ObjectNode now = shape(after.node());
    for (String member : MEMBERS) {
      if (CONTAINER_LISTS.contains(member)) {
        checkContainers(old.path(member), now.path(member), after.child(member), detail, findings);
      } else if (!isSame(member, old, now)) {
        findings.add(FieldError.invalid(after.child(member), detail));
      }
    }
  }

  private static boolean isSame(String member, ObjectNode before, ObjectNode after) {
    return switch (member) {
      case AFFINITY -> before.path(member).equals(after.path(member));
      case OVERHEAD, RESOURCES -> isSameAmounts(before.path(member), after.path(member));
      default -> orNull(before.path(member)).equals(orNull(after.path(member)));
    };
  }

  /** By value: the hash keeps the notation, so that 1Gi and 1073741824 have two. */
  private static boolean isSameAmounts(JsonNode before, JsonNode after) {
    return SameValue.of(asRequests(before), asRequests(after));
  }

  private static ObjectNode asRequests(JsonNode amounts) {
    ObjectNode resources = JsonNodeFactory.instance.objectNode();
    resources.set(REQUESTS, amounts);
    return resources;
  }

  private static void checkContainers(
      JsonNode before, JsonNode after, Field list, String detail, ValidationResult findings) {
    if (before.size() != after.size()) {
      findings.add(FieldError.invalid(list, detail));
      return;
    }
    List<Field> containers = list.items(after.size());
    for (int i = 0; i < containers.size(); i++) {
      Field container = containers.get(i);
      if (!SameValue.of(before.at("/" + i + "/resources"), after.at("/" + i + "/resources"))) {
        findings.add(FieldError.invalid(container.child(RESOURCES).child(REQUESTS), detail));
      }
      if (!before.at("/" + i + "/ports").equals(after.at("/" + i + "/ports"))) {
        findings.add(FieldError.invalid(container.child("ports"), detail));
      }
    }
  }
}
