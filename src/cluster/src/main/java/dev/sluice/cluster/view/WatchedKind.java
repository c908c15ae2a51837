package dev.sluice.cluster.view;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.tree.Keep;
import java.util.Optional;

/**
 * A kind to watch.
 *
 * @param type the kind, at the requested version
 * @param plural its name in URLs; empty if discovery gives it
 * @param keep the fields kept of each object, beside apiVersion and kind
 * @param metadataOnly whether only metadata is requested
 */
public record WatchedKind(
    GroupVersionKind type, Optional<String> plural, Keep keep, boolean metadataOnly) {
  static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  private static final String JSON = "application/json";

  public WatchedKind {
    requireNonNull(type, "type");
    requireNonNull(keep, "keep");
  }

  /** The kind whatever its version. */
  public GroupKind kind() {
    return type.groupKind();
  }

  /** The path below which the API server serves its version. */
  String root() {
    return type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
  }

  /** Whether an API server may well do without it. */
  boolean isOptional() {
    return type.group().contains(".");
  }

  String acceptsList() {
    return metadataOnly ? METADATA_LIST : JSON;
  }

  String acceptsEvents() {
    return metadataOnly ? METADATA : JSON;
  }
}
