package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import java.util.List;
import java.util.Set;

/**
 * The kinds of jobs whose writes are sent to the webhook server: those of the frameworks that are
 * on, and those that only a configuration knows. Writes of other kinds never wait for the server.
 *
 * @param frameworks names such as {@code batch/job}; Pods are added where others need them
 * @param custom kinds that a configuration describes
 */
public record JobSelection(Set<String> frameworks, List<CustomKind> custom) {
  /** What is on where no configuration says otherwise. */
  public static final JobSelection DEFAULT = new JobSelection(Set.of("batch/job"), List.of());

  private static final String POD = "pod";
  private static final Set<String> QUEUED_BY_THEIR_PODS =
      Set.of("deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset");

  public JobSelection {
    frameworks = Set.copyOf(frameworks);
    custom = List.copyOf(custom);
  }

  /** The list of kinds of jobs, with those that are selected. */
  JsonNode selected(ObjectNode list) {
    ArrayNode kinds = list.arrayNode();
    for (JsonNode kind : list.path("kinds")) {
      if (isOn(kind.path("framework").asText())) {
        kinds.add(kind);
      }
    }
    custom.forEach(kind -> addCustom(kinds.addObject(), kind));
    return list.set("kinds", kinds);
  }

  private boolean isOn(String framework) {
    return frameworks.contains(framework)
        || (framework.equals(POD) && frameworks.stream().anyMatch(QUEUED_BY_THEIR_PODS::contains));
  }

  private static void addCustom(ObjectNode entry, CustomKind kind) {
    GroupVersionKind type = kind.type();
    entry
        .put("group", type.group())
        .put("version", type.version())
        .put("kind", type.kind())
        .put("name", type.kind() + "." + type.group()) // others have a kind Job, too
        .put("scope", "Namespaced")
        .put("namespaces", "managed");
    entry.putArray("resources").add(kind.resource());
    entry.putArray("mutate").add("CREATE");
    entry.putArray("validate").add("CREATE").add("UPDATE");
    entry.putArray("validateWhen").add("changes");
    if (kind.suspendPath().isEmpty()) { // its templates say what waits, so they are kept
      entry.withArray("mutate").add("UPDATE");
      entry.putArray("mutateWhen").add("changes");
    }
  }
}
