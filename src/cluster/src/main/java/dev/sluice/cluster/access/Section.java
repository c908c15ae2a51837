package dev.sluice.cluster.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mapping of a kubeconfig and where it stands, so that each problem names file and field.
 * Problems never repeat a value: it may be a secret.
 *
 * @param file the kubeconfig
 * @param path such as {@code users[0].user}; empty for the file itself
 */
record Section(Path file, String path, JsonNode node) {
  private static final Section NONE = new Section(Path.of(""), "", MissingNode.getInstance());

  /** A section without any field. */
  static Section empty() {
    return NONE;
  }

  /** Whether the field is there and has a value. */
  boolean has(String field) {
    return !node.path(field).isMissingNode() && !node.path(field).isNull();
  }

  /** A text; empty if the field is not there. */
  Optional<String> text(String field) {
    if (!has(field)) {
      return Optional.empty();
    }
    if (!node.path(field).isTextual()) {
      throw problem(field, "is no text (expected: a string)");
    }
    return Optional.of(node.path(field).asText());
  }

  /** A text that counts as not there if it is empty. */
  Optional<String> nonEmpty(String field) {
    return text(field).filter(text -> !text.isBlank());
  }

  /** Yes or no; no if the field is not there. */
  boolean flag(String field) {
    if (has(field) && !node.path(field).isBoolean()) {
      throw problem(field, "is neither true nor false");
    }
    return node.path(field).asBoolean();
  }

  /** A mapping; an empty one if the field is not there. */
  Section section(String field) {
    JsonNode inner = node.path(field);
    if (has(field) && !inner.isObject()) {
      throw problem(field, "is no mapping (expected: fields with values)");
    }
    return new Section(file, name(field), inner);
  }

  /** The mappings of a list; none if the field is not there. */
  List<Section> sections(String field) {
    List<Section> all = new ArrayList<>();
    for (JsonNode item : list(field)) {
      String at = field + "[" + all.size() + "]";
      if (!item.isObject()) {
        throw problem(at, "is no mapping (expected: fields with values)");
      }
      all.add(new Section(file, name(at), item));
    }
    return all;
  }

  /** The texts of a list; none if the field is not there. */
  List<String> texts(String field) {
    List<String> all = new ArrayList<>();
    for (JsonNode item : list(field)) {
      if (!item.isTextual()) {
        throw problem(field + "[" + all.size() + "]", "is no text (expected: a string)");
      }
      all.add(item.asText());
    }
    return all;
  }

  /** The names of the fields. */
  List<String> fields() {
    return node.properties().stream().map(Map.Entry::getKey).toList();
  }

  private JsonNode list(String field) {
    JsonNode list = node.path(field);
    if (has(field) && !list.isArray()) {
      throw problem(field, "is no list");
    }
    return list;
  }

  /** Where this mapping stands, as problems name it. */
  String where() {
    return "kubeconfig " + file + ": " + path;
  }

  /** Where a field stands, as problems name it. */
  String where(String field) {
    return "kubeconfig " + file + ": " + name(field);
  }

  private String name(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /** What is wrong with a field. */
  AccessException problem(String field, String what) {
    return new AccessException(where(field) + ": " + what);
  }

  /** Names no value. */
  @Override
  public String toString() {
    return "Section[" + file + ", " + path + "]";
  }
}
