package dev.sluice.conversion.laws;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain collections, read by Jackson so that it judges our code from outside: objects are
 * sorted maps, lists are lists, and a scalar is its type and spelling.
 */
final class Trees {
  private static final JsonFactory JACKSON = new JsonFactory();
  private static final String OURS = "conversion.kueue.x-k8s.io/from-";
  private static final Scalar NULL = new Scalar(JsonToken.VALUE_NULL, "null");

  private Trees() {}

  /** A number, string, true, false or null. */
  record Scalar(JsonToken type, String spelling) {}

  static Map<String, Object> object(String json) {
    try (JsonParser parser = JACKSON.createParser(json)) {
      parser.nextToken();
      return object(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      members.put(key, value(parser));
    }
    return members;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield items;
      }
      default -> new Scalar(parser.currentToken(), parser.getText());
    };
  }

  /** Whether one of our annotations stands on the object. */
  static boolean hasOurs(Map<String, Object> root) {
    Map<?, ?> annotations = map(metadata(root).get("annotations"));
    return annotations.keySet().stream().anyMatch(key -> key.toString().startsWith(OURS));
  }

  /**
   * The object as it may come back: with metadata, without any annotation of ours, and without
   * annotations if none are left or if they are null.
   */
  static Map<String, Object> withoutOurs(String json) {
    Map<String, Object> root = object(json);
    Map<String, Object> metadata = new TreeMap<>();
    metadata(root).forEach((key, value) -> metadata.put(key.toString(), value));
    Map<String, Object> annotations = new TreeMap<>();
    map(metadata.get("annotations"))
        .forEach((key, value) -> annotations.put(key.toString(), value));
    annotations.keySet().removeIf(key -> key.startsWith(OURS));
    Object before = metadata.get("annotations");
    if (before instanceof Map || NULL.equals(before)) {
      metadata.remove("annotations");
      if (!annotations.isEmpty()) {
        metadata.put("annotations", annotations);
      }
    }
    root.put("metadata", metadata);
    return root;
  }

  /** Whether the object has metadata of its own; otherwise it is given some. */
  static boolean hasMetadata(Map<String, Object> root) {
    return root.get("metadata") instanceof Map;
  }

  /** Whether a Topology has root levels that move to its spec, or that say the same as that. */
  static boolean losesRootLevels(Map<String, Object> root) {
    if (!(root.get("levels") instanceof List<?> levels)
        || levels.isEmpty()
        || !levels.stream().allMatch(Trees::isText)) {
      return false;
    }
    Object spec = root.get("spec");
    if (isNothing(spec)) {
      return true;
    }
    return spec instanceof Map<?, ?> map
        && (isNothing(map.get("levels"))
            || (map.get("levels") instanceof List<?> list
                && (list.isEmpty() || labels(list).equals(levels))));
  }

  private static List<@Nullable Object> labels(List<?> levels) {
    List<@Nullable Object> labels = new ArrayList<>();
    levels.forEach(level -> labels.add(map(level).get("nodeLabel")));
    return labels;
  }

  private static boolean isText(@Nullable Object value) {
    return value instanceof Scalar scalar && scalar.type() == JsonToken.VALUE_STRING;
  }

  private static boolean isNothing(@Nullable Object value) {
    return value == null || Objects.equals(value, NULL);
  }

  private static Map<?, ?> metadata(Map<String, Object> root) {
    return map(root.get("metadata"));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
