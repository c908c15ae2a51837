package dev.sluice.cli.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.rules.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas and objects in short YAML. */
final class Schemas {
  private static final YAMLMapper YAML = new YAMLMapper();

  private Schemas() {}

  /** The schema of a kind whose spec is this. */
  static KindSchema ofSpec(String spec) {
    JsonNode root =
        tree(
            "{type: object, properties: {apiVersion: {type: string}, kind: {type: string},"
                + " metadata: {type: object}, spec: "
                + spec
                + "}}");
    return new KindSchema(Schema.of(root), false, new CelPrograms());
  }

  /** An object with this spec. */
  static JsonNode object(String spec) {
    return tree("{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: " + spec + "}");
  }

  static JsonNode tree(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  /** What is said to the creation of an object with this spec, or to its update from another. */
  static List<String> said(KindSchema schema, String spec, @Nullable String old) {
    JsonNode before = old == null ? null : schema.receive(object(old)).object();
    return schema.check(schema.receive(object(spec)).object(), before).violations().stream()
        .map(FieldError::text)
        .toList();
  }
}
