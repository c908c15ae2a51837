package dev.sluice.webhook.endpoint;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.conversion.json.JsonSyntax;
import dev.sluice.conversion.json.MalformedJsonException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes a tree of JSON from outside while {@link JsonSyntax} checks it: rules look at most of an
 * object, and to check first and parse then would read it twice. Its stack is of its own: how deep
 * JSON may be is configured, how deep a thread's stack is is not known.
 */
final class ReviewTree implements JsonSyntax.Visitor {
  private final Deque<Branch> open = new ArrayDeque<>();
  private JsonNode root = MissingNode.getInstance();

  private ReviewTree() {}

  /** An object or list whose end is not read yet. */
  private static final class Branch {
    private final ContainerNode<?> node;
    private String key = "";

    private Branch(ContainerNode<?> node) {
      this.node = node;
    }

    private void add(JsonNode value, JsonParser parser) throws JsonParseException {
      if (node instanceof ObjectNode object) {
        if (object.replace(key, value) != null) {
          throw new JsonParseException(parser, "the key \"%s\" stands twice".formatted(key));
        }
      } else if (node instanceof ArrayNode array) {
        array.add(value);
      }
    }
  }

  /**
   * The one value that the bytes hold.
   *
   * @throws MalformedJsonException if they hold anything else, or if a bound is passed
   */
  static JsonNode of(byte[] json, JsonSyntax syntax) throws MalformedJsonException {
    ReviewTree tree = new ReviewTree();
    syntax.visit(json, tree);
    return tree.root;
  }

  @Override
  public void visit(JsonParser parser, JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT -> open.push(new Branch(JsonNodeFactory.instance.objectNode()));
      case START_ARRAY -> open.push(new Branch(JsonNodeFactory.instance.arrayNode()));
      case FIELD_NAME -> open.element().key = parser.currentName();
      case END_OBJECT, END_ARRAY -> add(open.pop().node, parser);
      default -> add(scalar(parser, token), parser);
    }
  }

  private void add(JsonNode value, JsonParser parser) throws JsonParseException {
    if (open.isEmpty()) {
      root = value;
    } else {
      open.element().add(value, parser);
    }
  }

  private static JsonNode scalar(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> TextNode.valueOf(parser.getText());
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> DoubleNode.valueOf(parser.getDoubleValue());
      default -> NullNode.getInstance();
    };
  }

  private static JsonNode integer(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT -> IntNode.valueOf(parser.getIntValue());
      case LONG -> LongNode.valueOf(parser.getLongValue());
      default -> BigIntegerNode.valueOf(parser.getBigIntegerValue());
    };
  }
}
