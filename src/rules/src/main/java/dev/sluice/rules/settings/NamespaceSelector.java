package dev.sluice.rules.settings;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Which namespaces jobs are managed in. */
@FunctionalInterface
public interface NamespaceSelector {
  /** Whether a namespace with these labels is meant; the node is an object, or missing for none. */
  boolean matches(JsonNode labels);

  /** All namespaces but these. */
  static NamespaceSelector allBut(Set<String> names) {
    Set<String> excluded = Set.copyOf(names);
    return labels -> !excluded.contains(labels.path("kubernetes.io/metadata.name").asText());
  }
}
