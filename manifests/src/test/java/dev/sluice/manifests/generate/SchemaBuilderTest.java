package dev.sluice.manifests.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.manifests.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaBuilderTest {

  private static final String DEFINITIONS =
      """
      name: {type: string, maxLength: 63, description: A name.}
      short-name: {use: name, maxLength: 8}
      named: {fields: {name: {use: name, required: true}}}
      endless: {use: endless}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {use: name}                            | {description: A name., type: string, maxLength: 63}
          {use: short-name, description: Short.} | {description: Short., type: string, maxLength: 8}
          {fields: {}}                           | {type: object, properties: {}}
          {values: {type: string}}               | {type: object, additionalProperties: {type: string}}
          {list: set, items: {type: string}}     | {type: array, x-kubernetes-list-type: set, items: {type: string}}
          {type: object, map: atomic}            | {type: object, x-kubernetes-map-type: atomic}
          {fields: {a: {type: string, required: true}, b: {type: string, required: false}}} | {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}
          {type: string, rules: [{rule: r, message: m}]} | {type: string, x-kubernetes-validations: [{rule: r, message: m}]}
          {use: named, fields: {age: {type: integer}}} | {type: object, required: [name], properties: {name: {description: A name., type: string, maxLength: 63}, age: {type: integer}}}
          """)
  void aNodeBecomesASchema(String node, String schema) {
    assertThat(build(node)).isEqualTo(yaml(schema));
  }

  @Test
  void aListWithKeysIsAMapOfItems() {
    assertThat(build("{keys: [name], items: {use: named}}"))
        .isEqualTo(
            yaml(
                """
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {description: A name., type: string, maxLength: 63}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {fields: {spec: {typ: string}}} | spec: typ (expected: one of
          {fields: {spec: {use: nobody}}} | spec: use: nobody (expected: a definition
          {use: endless}                  | use: endless (expected: a definition
          """)
  void refusesWhatItDoesNotKnowAndSaysWhere(String node, String message) {
    assertThatThrownBy(() -> build(node))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static ObjectNode build(String node) {
    return new SchemaBuilder(yaml(DEFINITIONS)).build(yaml(node));
  }

  private static ObjectNode yaml(String text) {
    return new YamlReader().read("test", text);
  }
}
