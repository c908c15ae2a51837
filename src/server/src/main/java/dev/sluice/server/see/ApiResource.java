package dev.sluice.server.see;

import java.util.List;

/**
 * A resource that is served, or a subresource with the parent that has nothing but it.
 *
 * @param plural of the resource, or of the parent
 * @param singular of the same
 * @param parentKind the kind of the parent; that of the answer where there is no subresource
 * @param subresource empty for none
 * @param kind of the answer
 * @param verb as an API server authorizes a request
 * @param parameters of the query
 * @param description a sentence about what an answer has
 */
record ApiResource(
    String plural,
    String singular,
    String parentKind,
    boolean namespaced,
    String subresource,
    String kind,
    String verb,
    List<ApiParameter> parameters,
    String description) {
  static final String CREATE = "create";

  ApiResource {
    parameters = List.copyOf(parameters);
  }

  /** The subresource of one object, which is read. */
  static ApiResource of(
      String plural,
      String parentKind,
      boolean namespaced,
      String subresource,
      String kind,
      List<ApiParameter> parameters,
      String description) {
    return new ApiResource(
        plural,
        plural.substring(0, plural.length() - 1),
        parentKind,
        namespaced,
        subresource,
        kind,
        "get",
        parameters,
        description);
  }

  /** A resource without names, which is read or created. */
  static ApiResource whole(
      String plural, String kind, boolean namespaced, String verb, String description) {
    return new ApiResource(
        plural,
        plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural,
        kind,
        namespaced,
        "",
        kind,
        verb,
        List.of(),
        description);
  }

  /** A resource without names, which is read. */
  static ApiResource list(
      String plural,
      String kind,
      boolean namespaced,
      List<ApiParameter> parameters,
      String description) {
    ApiResource whole = whole(plural, kind, namespaced, "list", description);
    return new ApiResource(
        whole.plural,
        whole.singular,
        whole.parentKind,
        whole.namespaced,
        whole.subresource,
        whole.kind,
        whole.verb,
        parameters,
        description);
  }

  boolean hasSubresource() {
    return !subresource.isEmpty();
  }

  /** As roles name it. */
  String path() {
    return hasSubresource() ? plural + "/" + subresource : plural;
  }

  /** The method of HTTP. */
  String method() {
    return verb.equals(CREATE) ? "POST" : "GET";
  }
}
