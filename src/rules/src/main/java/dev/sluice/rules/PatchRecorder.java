package dev.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An object while it is being defaulted: the received object with the changes so far. A change
 * copies the containers on its path and shares all others with the received object. Each is
 * recorded as an operation of a JSON patch (RFC 6902); what is not named by one stays as the caller
 * wrote it. A change that is impossible, because a member on the path has another type, is left
 * out: the API server's schema reports it. For one thread.
 */
public final class PatchRecorder {
  private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

  private JsonNode object;
  private final List<Edit> edits = new ArrayList<>();

  /**
   * One operation.
   *
   * @param op {@code add}, which also replaces, or {@code remove}
   * @param path where, as of RFC 6901
   * @param value what is added; a missing node for a removal
   */
  public record Edit(String op, String path, JsonNode value) {}

  /** A draft without changes; the object is never touched. */
  public PatchRecorder(JsonNode object) {
    this.object = object;
  }

  /** The object with all changes so far. */
  public JsonNode object() {
    return object;
  }

  /** The object with all changes so far. */
  public Field root() {
    return Field.root(object());
  }

  /** The changes, in their order. */
  public List<Edit> edits() {
    return List.copyOf(edits);
  }

  /** Sets a label of the object. */
  public void label(String key, String value) {
    set(TextNode.valueOf(value), "metadata", "labels", key);
  }

  /** Sets an annotation of the object. */
  public void annotation(String key, String value) {
    set(TextNode.valueOf(value), "metadata", "annotations", key);
  }

  /**
   * Sets a member; objects on the way that are absent or null come to be.
   *
   * @param path names of members, and indexes of items that exist
   */
  public void set(JsonNode value, String... path) {
    if (hasRoom(path) && !at(path).equals(value)) {
      int missing = firstMissing(path);
      JsonNode nested = value;
      for (int i = path.length - 1; i > missing; i--) {
        nested = JsonNodeFactory.instance.objectNode().set(path[i], nested);
      }
      put(nested, missing, path);
    }
  }

  /** Adds an item at the end of a list, which comes to be if it is absent or null. */
  public void append(JsonNode item, String... list) {
    if (!isPresent(at(list))) {
      set(JsonNodeFactory.instance.arrayNode().add(item), list);
    } else if (at(list).isArray() && opened(list.length, list) instanceof ArrayNode items) {
      items.add(item);
      edits.add(new Edit("add", pointer(list, list.length) + "/-", item));
    }
  }

  /** Takes a member away; nothing if it is not there. */
  public void remove(String... path) {
    int last = path.length - 1;
    if (!at(path).isMissingNode() && opened(last, path) instanceof ObjectNode parent) {
      parent.remove(path[last]);
      edits.add(
          new Edit("remove", pointer(path, path.length), JsonNodeFactory.instance.missingNode()));
    }
  }

  private JsonNode at(String... path) {
    JsonNode node = object;
    for (String part : path) {
      node = child(node, part);
    }
    return node;
  }

  private static JsonNode child(JsonNode parent, String part) {
    return parent.isArray() ? parent.path(index(part)) : parent.path(part);
  }

  private static boolean isPresent(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  private boolean hasRoom(String... path) {
    JsonNode parent = object;
    for (String part : path) {
      JsonNode child = child(parent, part);
      boolean isItem = parent.isArray() && !child.isMissingNode();
      if (isPresent(parent) && !parent.isObject() && !isItem) {
        return false;
      }
      parent = child;
    }
    return true;
  }

  private static int index(String part) {
    return INDEX.matcher(part).matches() ? Integer.parseInt(part) : -1;
  }

  private int firstMissing(String... path) {
    JsonNode node = object;
    for (int i = 0; i < path.length - 1; i++) {
      node = child(node, path[i]);
      if (!isPresent(node)) {
        return i;
      }
    }
    return path.length - 1;
  }

  private void put(JsonNode value, int last, String... path) {
    JsonNode parent = opened(last, path);
    if (parent instanceof ObjectNode members) {
      members.set(path[last], value);
      edits.add(new Edit("add", pointer(path, last + 1), value));
    } else if (parent instanceof ArrayNode items) { // "add" would insert an item
      items.set(index(path[last]), value);
      edits.add(new Edit("replace", pointer(path, last + 1), value));
    }
  }

  /** The container so far down the path; it and those above it are copies of this change. */
  private JsonNode opened(int depth, String... path) {
    JsonNode node = shallow(object);
    object = node;
    for (int i = 0; i < depth; i++) {
      JsonNode child = shallow(child(node, path[i]));
      if (node instanceof ObjectNode members) {
        members.set(path[i], child);
      } else if (node instanceof ArrayNode items) {
        items.set(index(path[i]), child);
      }
      node = child;
    }
    return node;
  }

  private static JsonNode shallow(JsonNode node) {
    return switch (node) {
      case ObjectNode members -> JsonNodeFactory.instance.objectNode().setAll(members);
      case ArrayNode items -> JsonNodeFactory.instance.arrayNode(items.size()).addAll(items);
      default -> node;
    };
  }

  private static String pointer(String[] path, int length) {
    StringBuilder pointer = new StringBuilder();
    for (int i = 0; i < length; i++) {
      pointer.append('/').append(path[i].replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }
}
