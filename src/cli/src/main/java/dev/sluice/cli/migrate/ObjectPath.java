package dev.sluice.cli.migrate;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which object. The order is that of the API server's lists: by the bytes of the whole path, so
 * that namespace {@code a-b} comes before namespace {@code a}.
 *
 * @param namespace empty for kinds that live in none
 * @param name its name
 */
record ObjectPath(String namespace, String name) implements Comparable<ObjectPath> {

  static ObjectPath of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectPath(metadata.path("namespace").asText(""), metadata.path("name").asText(""));
  }

  /** Reads what {@link #toString} wrote. */
  static ObjectPath parse(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new ObjectPath("", text)
        : new ObjectPath(text.substring(0, slash), text.substring(slash + 1));
  }

  /** Its place in the URL, behind group and version. */
  String within(String groupVersionPath, String plural) {
    return groupVersionPath
        + (namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/")
        + plural
        + "/"
        + name;
  }

  @Override
  public int compareTo(ObjectPath other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
