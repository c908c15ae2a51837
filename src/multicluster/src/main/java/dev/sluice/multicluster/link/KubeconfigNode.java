package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A mapping of a kubeconfig, read field by field. A value of another type makes the kubeconfig
 * unreadable, with a sentence that names the field and never its value.
 *
 * @param path how problems name the mapping; empty for the whole document
 */
record KubeconfigNode(String path, JsonNode node) {
  static final String PARSING = "failed to parse kubeconfig(apiconfig): ";

  static KubeconfigNode empty() {
    return new KubeconfigNode("", MissingNode.getInstance());
  }

  private boolean has(String field) {
    return !node.path(field).isMissingNode() && !node.path(field).isNull();
  }

  /** A text; empty if the field is not there. */
  String text(String field) {
    if (!has(field)) {
      return "";
    }
    if (!node.path(field).isTextual()) {
      throw unreadable(field + " is no text");
    }
    return node.path(field).asText().strip();
  }

  /** The decoded Base64 of a field; empty if the field is not there. */
  String decoded(String field) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text(field).replaceAll("\\s", ""));
      return new String(bytes, StandardCharsets.ISO_8859_1); // PEM is ASCII, remarks need not be
    } catch (IllegalArgumentException _) { // its message repeats the value
      throw unreadable(field + " is not Base64");
    }
  }

  /** A boolean; false if the field is not there. */
  boolean flag(String field) {
    if (has(field) && !node.path(field).isBoolean()) {
      throw unreadable(field + " is no boolean");
    }
    return node.path(field).asBoolean();
  }

  /** Whether there is a value that is not empty. */
  boolean isSet(String field) {
    JsonNode value = node.path(field);
    return has(field)
        && !(value.isTextual() && value.asText().isEmpty())
        && !(value.isContainerNode() && value.isEmpty());
  }

  /** The named entries of a list, each with the mapping inside it. */
  List<Entry> entries(String list, String inner) {
    List<Entry> entries = new ArrayList<>();
    JsonNode items = node.path(list);
    if (has(list) && !items.isArray()) {
      throw unreadable(list + " is no list");
    }
    for (JsonNode item : items) {
      KubeconfigNode entry = mapping(list + "[" + entries.size() + "]", item);
      entries.add(new Entry(entry.text("name"), entry.mapping(inner, entry.node.path(inner))));
    }
    return entries;
  }

  private KubeconfigNode mapping(String field, JsonNode inner) {
    if (!inner.isObject() && !inner.isMissingNode() && !inner.isNull()) {
      throw unreadable(field + " is no mapping");
    }
    return new KubeconfigNode(path.isEmpty() ? field : path + "." + field, inner);
  }

  private KubeconfigRefusal unreadable(String what) {
    String where = path.isEmpty() ? "" : path + ".";
    return new KubeconfigRefusal(Unusable.insecure(PARSING + where + what));
  }

  /** A cluster, user or context. */
  record Entry(String name, KubeconfigNode value) {
    static Optional<Entry> find(List<Entry> entries, String name) {
      return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }
  }

  /** Names no value. */
  @Override
  public String toString() {
    return "KubeconfigNode[" + path + "]";
  }
}
