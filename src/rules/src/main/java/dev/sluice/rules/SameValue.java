package dev.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether two values are semantically equal, as Kubernetes compares them: an absent member equals
 * null, an empty list and an empty map, and quantities are compared by value.
 */
public final class SameValue {
  /** Maps and members whose values are quantities. */
  private static final Set<String> QUANTITIES =
      Set.of("requests", "limits", "overhead", "resourceUsage", "capacity");

  private static final Set<String> QUANTITY = Set.of("sizeLimit", "divisor", "storage");

  /** Maps of arbitrary keys: empty equals absent, and an empty value is a value. */
  private static final Set<String> MAPS =
      Set.of(
          "labels",
          "annotations",
          "nodeSelector",
          "matchLabels",
          "requests",
          "limits",
          "overhead",
          "capacity",
          "flavors",
          "resourceUsage",
          "volumeAttributes",
          "options");

  /** Structures that always exist: without members they equal absent ones. */
  private static final Set<String> STRUCTURES = Set.of("metadata", "spec", "resources");

  /** Members whose false is the same as none; others distinguish it. */
  private static final Set<String> FALSE_IS_ABSENT =
      Set.of(
          "hostNetwork",
          "hostPID",
          "hostIPC",
          "stdin",
          "stdinOnce",
          "tty",
          "readOnly",
          "sslEnabled",
          "chapAuthDiscovery",
          "chapAuthSession");

  /** Members whose 0 is the same as none; others distinguish it. */
  private static final Set<String> ZERO_IS_ABSENT =
      Set.of(
          "hostPort",
          "partition",
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold");

  private SameValue() {}

  /** Whether a value can replace the other. */
  public static boolean of(JsonNode one, JsonNode other) {
    return same(one, other, "", "");
  }

  private static boolean same(JsonNode one, JsonNode other, String name, String parent) {
    if (one.equals(other)) {
      return true;
    }
    if (isAbsent(one, name, parent) || isAbsent(other, name, parent)) {
      return isAbsent(one, name, parent) && isAbsent(other, name, parent);
    }
    if (one.isObject() && other.isObject()) {
      return sameMembers(one, other, name);
    }
    if (one.isArray() && other.isArray()) {
      return sameItems(one, other, name);
    }
    return (QUANTITIES.contains(parent) || QUANTITY.contains(name)) && sameAmount(one, other);
  }

  private static boolean isAbsent(JsonNode node, String name, String parent) {
    if (MAPS.contains(parent) || node.isMissingNode() || node.isNull()) {
      return node.isMissingNode() || node.isNull();
    }
    return switch (node.getNodeType()) {
      case ARRAY -> node.isEmpty();
      case STRING -> node.textValue().isEmpty();
      case NUMBER -> node.asDouble() == 0 && ZERO_IS_ABSENT.contains(name);
      case BOOLEAN -> !node.booleanValue() && isOffByDefault(name, parent);
      case OBJECT ->
          MAPS.contains(name)
              ? node.isEmpty()
              : STRUCTURES.contains(name) && hasNothing(node, name);
      default -> false;
    };
  }

  private static boolean isOffByDefault(String name, String parent) {
    return FALSE_IS_ABSENT.contains(name)
        || (name.equals("optional") && parent.equals("fileKeyRef")); // elsewhere it has no default
  }

  private static boolean hasNothing(JsonNode structure, String name) {
    return structure.properties().stream()
        .allMatch(member -> isAbsent(member.getValue(), member.getKey(), name));
  }

  private static boolean sameMembers(JsonNode one, JsonNode other, String name) {
    Set<String> members = new HashSet<>();
    one.fieldNames().forEachRemaining(members::add);
    other.fieldNames().forEachRemaining(members::add);
    return members.stream()
        .allMatch(member -> same(one.path(member), other.path(member), member, name));
  }

  private static boolean sameItems(JsonNode one, JsonNode other, String name) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i), "", name)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameAmount(JsonNode one, JsonNode other) {
    Optional<Quantity> amount = Field.root(one).quantity();
    return amount.isPresent() && amount.equals(Field.root(other).quantity());
  }
}
