package dev.sluice.rules.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.Locale;
import java.util.Map;

/** What a map of annotations must be. */
public final class AnnotationRules {
  /** All keys and values together may have so many bytes. */
  public static final int MAX_BYTES = 256 * 1024;

  private AnnotationRules() {}

  /** Reports keys that are none, and too much text, all at the path of the map. */
  public static void check(Field map, ValidationResult findings) {
    long bytes = 0;
    for (Map.Entry<String, JsonNode> annotation : map.node().properties()) {
      checkKey(map, annotation.getKey(), findings);
      bytes += length(annotation.getKey()) + length(annotation.getValue().asText());
    }
    if (bytes > MAX_BYTES) {
      findings.add(
          FieldError.tooLong(
              map, "all keys and values may have %d bytes, not %d".formatted(MAX_BYTES, bytes)));
    }
  }

  private static void checkKey(Field map, String key, ValidationResult findings) {
    // capitals are allowed in the prefix of an annotation, unlike in that of a label
    for (String problem : LabelKey.problems(key.toLowerCase(Locale.ROOT))) {
      findings.add(
          FieldError.invalid(
              map.path(), TextNode.valueOf(key), "as an annotation key: " + problem));
    }
  }

  private static int length(String text) {
    return text.getBytes(UTF_8).length;
  }
}
