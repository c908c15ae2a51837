package dev.sluice.manifests.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads YAML text whose documents are objects. Anchors are not resolved: an alias reads as the
 * anchor's name. Immutable and safe for use by several threads.
 */
public final class YamlReader {

  private final ObjectReader objects =
      new YAMLMapper(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .readerFor(JsonNode.class);

  /**
   * The documents of a stream in their order; empty documents are left out.
   *
   * @param name what the text is called in the message of a failure
   * @throws IllegalArgumentException if the text is no YAML, repeats a key, or holds a document
   *     that is no object
   */
  public List<ObjectNode> readAll(String name, String text) {
    List<ObjectNode> documents = new ArrayList<>();
    try (var values = objects.<JsonNode>readValues(text)) {
      while (values.hasNextValue()) {
        JsonNode document = values.nextValue();
        if (!isEmpty(document)) {
          documents.add(asObject(name, document));
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(name + ": " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(name + ": unreadable (expected: YAML)", e);
    }
    return documents;
  }

  /**
   * The only document of a text.
   *
   * @throws IllegalArgumentException as {@link #readAll}, and if there is none or more than one
   */
  public ObjectNode read(String name, String text) {
    List<ObjectNode> documents = readAll(name, text);
    if (documents.size() != 1) {
      throw new IllegalArgumentException(
          name + ": " + documents.size() + " documents (expected: one)");
    }
    return documents.getFirst();
  }

  /** Jackson reads a document of nothing but comments as null or as an empty text. */
  private static boolean isEmpty(JsonNode document) {
    return document.isNull() || (document.isTextual() && document.textValue().isEmpty());
  }

  private static ObjectNode asObject(String name, JsonNode document) {
    if (document instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(
        name + ": a document is " + document.getNodeType() + " (expected: an object)");
  }
}
