package dev.sluice.server.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.rules.view.ObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes of files the view of the cluster that would be if they were applied. */
public final class FileView {
  /** No rule looks another one of these up, and there may be very many. */
  private static final Set<GroupKind> NOT_LOOKED_UP =
      Set.of(ApiKind.WORKLOAD.groupKind(), new GroupKind("", "Pod"));

  /** Cluster-scoped kinds of other APIs that rules look up. */
  private static final Set<GroupKind> CLUSTER_SCOPED =
      Set.of(
          new GroupKind("", "Namespace"),
          new GroupKind("", "Node"),
          new GroupKind("scheduling.k8s.io", "PriorityClass"));

  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private FileView() {}

  /**
   * The view of these objects.
   *
   * @param namespace where objects are that name none
   */
  public static ClusterView of(List<ManifestObject> objects, String namespace) {
    Converter converter = new Converter(Mode.CARRY);
    List<JsonNode> trees = new ArrayList<>();
    for (ManifestObject object : objects) {
      if (!NOT_LOOKED_UP.contains(object.kind().groupKind())) {
        tree(object, namespace, converter).ifPresent(trees::add);
      }
    }
    return ObjectView.of(trees);
  }

  private static Optional<JsonNode> tree(
      ManifestObject object, String namespace, Converter converter) {
    Optional<ApiKind> ours = object.servedKind();
    boolean namespaced =
        ours.map(ApiKind::namespaced)
            .orElse(!object.isOurs() && !CLUSTER_SCOPED.contains(object.kind().groupKind()));
    JsonNode tree = object.tree(namespace, namespaced);
    if (ours.isEmpty()) {
      return object.isOurs() || !tree.isObject() ? Optional.empty() : Optional.of(labelled(tree));
    }
    return converter.convert(ManifestObject.slice(tree), ApiVersion.HUB)
            instanceof Outcome.Converted converted
        ? Optional.of(ManifestObject.tree(converted.object()))
        : Optional.empty();
  }

  /** The API server gives each namespace its name as a label. */
  private static JsonNode labelled(JsonNode tree) {
    if (tree.path("kind").asText().equals("Namespace")
        && tree.get("metadata") instanceof ObjectNode metadata
        && (!metadata.hasNonNull("labels") || metadata.get("labels").isObject())) {
      metadata.withObjectProperty("labels").set(NAME_LABEL, metadata.path("name"));
    }
    return tree;
  }
}
