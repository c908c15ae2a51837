package dev.sluice.quota.world;

import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.meta.LabelSelectorRequirement;
import dev.sluice.api.pod.NodeSelectorRequirement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether labels meet requirements, as Kubernetes decides it. */
public final class Selectors {
  private Selectors() {}

  /** No selector matches nothing, an empty one everything, one with an unknown operator nothing. */
  public static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
    return selector != null && selector.matches(labels);
  }

  /** As for labels, with {@code Gt} and {@code Lt} on integers. */
  public static boolean matches(NodeSelectorRequirement requirement, Map<String, String> labels) {
    List<String> values = requirement.values();
    String value = labels.get(requirement.key());
    return switch (requirement.operator()) {
      case "Gt" -> compare(value, values) > 0;
      case "Lt" -> compare(value, values) < 0;
      default ->
          LabelSelectorRequirement.matches(
              requirement.key(), requirement.operator(), values, labels);
    };
  }

  /** Why a requirement cannot be evaluated, as Kubernetes judges it; null where it can. */
  public static @Nullable String problem(NodeSelectorRequirement requirement) {
    List<String> values = requirement.values();
    String expected =
        switch (requirement.operator()) {
          case "In", "NotIn" -> values.isEmpty() ? "at least one value" : null;
          case "Exists", "DoesNotExist" -> values.isEmpty() ? null : "no values";
          case "Gt", "Lt" -> isInteger(values) ? null : "one integer";
          default -> "the operator In, NotIn, Exists, DoesNotExist, Gt or Lt";
        };
    return expected == null
        ? null
        : "%s %s %s (expected: %s)"
            .formatted(requirement.key(), requirement.operator(), values, expected);
  }

  private static boolean isInteger(List<String> values) {
    if (values.size() != 1) {
      return false;
    }
    try {
      var _ = Long.parseLong(values.getFirst());
      return true;
    } catch (NumberFormatException _) {
      return false;
    }
  }

  private static int compare(@Nullable String value, List<String> bounds) {
    if (value == null || bounds.size() != 1) {
      return 0;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(bounds.getFirst()));
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
