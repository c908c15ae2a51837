package dev.sluice.testkit.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON in the text of a test, with single quotes in place of double ones. */
public final class SingleQuoted {
  private static final JsonMapper MAPPER = new JsonMapper();

  private SingleQuoted() {}

  /**
   * Reads an object such as {@code {'a': 1}}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ObjectNode json(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException | ClassCastException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
