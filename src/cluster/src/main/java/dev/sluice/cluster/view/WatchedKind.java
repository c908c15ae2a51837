package dev.sluice.cluster.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.tree.Keep;
import java.net.URLEncoder;
import java.util.Optional;

/**
 * A kind to watch.
 *
 * @param type the kind, at the requested version
 * @param plural its name in URLs; empty if discovery gives it
 * @param keep the fields kept of each object, beside apiVersion and kind
 * @param metadataOnly whether only metadata is requested
 * @param selection the objects of the kind that are requested
 */
public record WatchedKind(
    GroupVersionKind type,
    Optional<String> plural,
    Keep keep,
    boolean metadataOnly,
    Selection selection) {
  static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  private static final String JSON = "application/json";

  /**
   * Which objects of a kind.
   *
   * @param namespace the one that they are in; empty for all, and for kinds without namespaces
   * @param labels a label selector as the API server reads it; empty for any labels
   * @param fields a field selector as the API server reads it; empty for any fields
   */
  public record Selection(String namespace, String labels, String fields) {
    /** Every object. */
    public static final Selection ALL = new Selection("", "");

    /** Objects with any fields. */
    public Selection(String namespace, String labels) {
      this(namespace, labels, "");
    }

    /** The objects of one namespace. */
    public static Selection inNamespace(String namespace) {
      return new Selection(namespace, "");
    }

    /** The objects that have this label. */
    public static Selection labelled(String label, String value) {
      return new Selection("", label + "=" + value);
    }

    /** One object, for an account that may read only that one. */
    public static Selection named(String namespace, String name) {
      return new Selection(namespace, "", "metadata.name=" + name);
    }

    /** The objects that have this value in a field that the API server can select by. */
    public static Selection having(String field, String value) {
      return new Selection("", "", field + "=" + value);
    }
  }

  public WatchedKind {
    requireNonNull(type, "type");
    requireNonNull(keep, "keep");
    requireNonNull(selection, "selection");
  }

  /** All objects of a kind. */
  public WatchedKind(
      GroupVersionKind type, Optional<String> plural, Keep keep, boolean metadataOnly) {
    this(type, plural, keep, metadataOnly, Selection.ALL);
  }

  /** The kind whatever its version. */
  public GroupKind kind() {
    return type.groupKind();
  }

  /** The path below which the API server serves its version. */
  String root() {
    return type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
  }

  /** The path of the objects. */
  String collection(String resource) {
    String namespace = selection.namespace();
    return root() + (namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/") + resource;
  }

  /** What each query about the objects ends with. */
  String querySuffix() {
    String labels = selection.labels();
    String fields = selection.fields();
    return (labels.isEmpty() ? "" : "&labelSelector=" + URLEncoder.encode(labels, UTF_8))
        + (fields.isEmpty() ? "" : "&fieldSelector=" + URLEncoder.encode(fields, UTF_8));
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
