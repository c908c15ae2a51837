package dev.sluice.json.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes trees of JSON while it is read, without what is not kept. Texts and key sets that come
 * again and again are shared between trees. The trees cannot be changed. For one thread at a time.
 */
public final class PrunedReader {
  private static final int POOL_OF_TEXTS = 1 << 12;
  private static final int POOL_OF_SHAPES = 1 << 9; // an API has fewer of them
  private static final int LONGEST_SHARED = 64;
  private static final int MOST_COMPACT = 24;
  private static final int MAX_DEPTH = 200;

  private static final JsonFactory USUAL_TEXTS = new JsonFactory();

  /** Without the table of names: it would keep long ones for ever. */
  private static final JsonFactory ODD_TEXTS =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final String[][] USUAL = {
    {"apiVersion", "kind", "metadata"},
    {"apiVersion", "kind", "metadata", "spec"},
    {"apiVersion", "kind", "metadata", "spec", "status"},
  };

  private final JsonNodeFactory nodes = JsonNodeFactory.instance;
  private final TextNode[] texts = new TextNode[POOL_OF_TEXTS];
  private final String[][] shapes = new String[POOL_OF_SHAPES][];

  /**
   * Reads what an API server has stored. The API server bounds objects, so names, texts, and
   * nesting are as they are: one odd object must not keep all others from being read.
   *
   * @param length of the text, from the start of the bytes
   * @throws IOException if it is no JSON
   */
  public JsonNode read(byte[] bytes, int length, Keep keep) throws IOException {
    try {
      return read(USUAL_TEXTS, bytes, length, keep);
    } catch (StreamConstraintsException _) {
      return read(ODD_TEXTS, bytes, length, keep);
    }
  }

  private JsonNode read(JsonFactory factory, byte[] bytes, int length, Keep keep)
      throws IOException {
    try (JsonParser parser = factory.createParser(bytes, 0, length)) {
      parser.nextToken();
      return read(parser, keep);
    }
  }

  /**
   * Reads the value the parser stands at; afterwards it stands at its end. What is nested more than
   * 200 levels deep is null.
   *
   * @throws IOException if there is no JSON
   */
  public JsonNode read(JsonParser parser, Keep keep) throws IOException {
    return value(parser, keep, 0);
  }

  /** The same object with these in front. */
  public static JsonNode typed(JsonNode object, TextNode apiVersion, TextNode kind) {
    String[] keys = new String[object.size() + 2];
    JsonNode[] values = new JsonNode[keys.length];
    keys[0] = "apiVersion";
    values[0] = apiVersion;
    keys[1] = "kind";
    values[1] = kind;
    int next = 2;
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      keys[next] = member.getKey();
      values[next++] = member.getValue();
    }
    return new ObjectNode(JsonNodeFactory.instance, new CompactMembers(shared(keys), values));
  }

  /** Top-level keys are few, and mostly these. */
  private static String[] shared(String[] keys) {
    for (String[] usual : USUAL) {
      if (Arrays.equals(usual, keys)) {
        return usual;
      }
    }
    return keys;
  }

  private JsonNode value(JsonParser parser, Keep keep, int depth) throws IOException {
    if (depth > MAX_DEPTH && parser.currentToken().isStructStart()) {
      parser.skipChildren();
      return nodes.nullNode();
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, keep, depth);
      case START_ARRAY -> array(parser, keep, depth);
      case VALUE_STRING -> text(parser.getText());
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.INT
              ? nodes.numberNode(parser.getIntValue())
              : nodes.numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> nodes.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> nodes.booleanNode(true);
      case VALUE_FALSE -> nodes.booleanNode(false);
      case VALUE_NULL -> nodes.nullNode();
      case null, default -> throw new IOException("no JSON value: " + parser.currentToken());
    };
  }

  private JsonNode object(JsonParser parser, Keep keep, int depth) throws IOException {
    List<String> keys = new ArrayList<>();
    List<JsonNode> values = new ArrayList<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      Keep member = keep.member(name);
      parser.nextToken();
      if (member == null) {
        parser.skipChildren();
      } else {
        keys.add(name);
        values.add(value(parser, member, depth + 1));
      }
    }
    return new ObjectNode(nodes, members(keys, values));
  }

  private Map<String, JsonNode> members(List<String> keys, List<JsonNode> values) {
    if (keys.size() <= MOST_COMPACT) {
      return new CompactMembers(shape(keys), values.toArray(new JsonNode[0]));
    }
    Map<String, JsonNode> members = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      members.put(keys.get(i), values.get(i));
    }
    return members;
  }

  private String[] shape(List<String> keys) {
    int slot = keys.hashCode() & (POOL_OF_SHAPES - 1);
    String[] shape = shapes[slot];
    if (shape == null || !Arrays.asList(shape).equals(keys)) {
      shape = keys.toArray(new String[0]);
      shapes[slot] = shape;
    }
    return shape;
  }

  private JsonNode array(JsonParser parser, Keep keep, int depth) throws IOException {
    List<JsonNode> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser, keep, depth + 1));
    }
    return new ArrayNode(nodes, List.copyOf(items));
  }

  private TextNode text(String text) {
    if (text.length() > LONGEST_SHARED) {
      return nodes.textNode(text);
    }
    int hash = text.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (POOL_OF_TEXTS - 1);
    TextNode shared = texts[slot];
    if (shared == null || !shared.textValue().equals(text)) {
      shared = nodes.textNode(text);
      texts[slot] = shared;
    }
    return shared;
  }
}
