package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.plan.Patches;
import java.util.List;
import java.util.Set;

/** The fields of an object that mean the same on another cluster. */
public final class CopiedFields {
  private static final String METADATA = "metadata";

  /** What kubectl and Sluice note of the local object only. */
  private static final Set<String> LOCAL_ANNOTATIONS =
      Set.of("kubectl.kubernetes.io/last-applied-configuration", Annotations.STOPPING);

  private CopiedFields() {}

  /** A copy without status, owners, finalizers and whatever else the API server gave it. */
  public static ObjectNode of(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    copy.remove("status");
    ObjectNode metadata = Patches.object();
    for (String member : List.of("name", "namespace", "labels", "annotations")) {
      JsonNode value = copy.path(METADATA).path(member);
      if (!value.isMissingNode()) {
        metadata.set(member, value);
      }
    }
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(LOCAL_ANNOTATIONS);
    }
    copy.set(METADATA, metadata);
    return copy;
  }

  /** Removes the field at the end of that path, if it is there. */
  public static void remove(ObjectNode object, List<String> path) {
    JsonNode parent = object;
    for (String step : path.subList(0, path.size() - 1)) {
      parent = parent.path(step);
    }
    if (parent instanceof ObjectNode found) {
      found.remove(path.getLast());
    }
  }
}
