package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;

/** Our finalizer on a MultiKueueCluster, which keeps the object until its worker is drained. */
public final class CleanupFinalizer {
  private CleanupFinalizer() {}

  /** Whether that MultiKueueCluster has it. */
  public static boolean isOn(JsonNode cluster) {
    return cluster
        .path("metadata")
        .path("finalizers")
        .valueStream()
        .anyMatch(it -> it.asText().equals(Finalizers.MULTI_KUEUE_CLEANUP));
  }

  /** The write after which it is there or not, and those of others are as they were. */
  public static Write write(JsonNode cluster, boolean isHeld) {
    JsonNode metadata = cluster.path("metadata");
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode kept = patch.putObject("metadata").putArray("finalizers");
    metadata
        .path("finalizers")
        .valueStream()
        .map(JsonNode::asText)
        .filter(it -> !it.equals(Finalizers.MULTI_KUEUE_CLEANUP))
        .forEach(kept::add);
    if (isHeld) {
      kept.add(Finalizers.MULTI_KUEUE_CLEANUP);
    }
    return new Write.MergePatch(
        ObjectRef.of(ApiKind.MULTI_KUEUE_CLUSTER.hub(), cluster),
        "",
        patch,
        Controllers.MULTI_KUEUE,
        metadata.path("resourceVersion").asText());
  }
}
