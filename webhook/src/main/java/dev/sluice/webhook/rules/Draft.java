package dev.sluice.webhook.rules;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object while it is being defaulted: as it came, with what was set so far. Each change is
 * recorded as an operation of a JSON patch (RFC 6902); what is not named by one stays as the caller
 * wrote it. A change that the object has no room for, because a member on the way is of another
 * type, is left out: the API server's schema speaks of it. For one thread.
 */
public final class Draft {
  private final JsonNode original;
  private @Nullable JsonNode copy;
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
  public Draft(JsonNode object) {
    this.original = object;
  }

  /** The object with all changes so far. */
  public JsonNode object() {
    return copy == null ? original : copy;
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
    JsonNode found = at(list);
    if (!found.isArray()) {
      if (!isPresent(found)) {
        set(JsonNodeFactory.instance.arrayNode().add(item), list);
      }
      return;
    }
    ((ArrayNode) copy().at(pointer(list, list.length))).add(item);
    edits.add(new Edit("add", pointer(list, list.length) + "/-", item.deepCopy()));
  }

  /** Takes a member away; nothing if it is not there. */
  public void remove(String... path) {
    if (!at(path).isMissingNode()
        && copy().at(pointer(path, path.length - 1)) instanceof ObjectNode parent) {
      parent.remove(path[path.length - 1]);
      edits.add(
          new Edit(
              "remove",
              pointer(path, path.length).toString(),
              JsonNodeFactory.instance.missingNode()));
    }
  }

  private JsonNode at(String... path) {
    return object().at(pointer(path, path.length));
  }

  private static boolean isPresent(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  private boolean hasRoom(String... path) {
    for (int i = 0; i < path.length; i++) {
      JsonNode parent = object().at(pointer(path, i));
      boolean isItem = parent.isArray() && !parent.path(index(path[i])).isMissingNode();
      if (isPresent(parent) && !parent.isObject() && !isItem) {
        return false;
      }
    }
    return true;
  }

  private static int index(String part) {
    return part.matches("\\d{1,9}") ? Integer.parseInt(part) : -1;
  }

  private int firstMissing(String... path) {
    for (int i = 0; i < path.length - 1; i++) {
      if (!isPresent(object().at(pointer(path, i + 1)))) {
        return i;
      }
    }
    return path.length - 1;
  }

  private void put(JsonNode value, int last, String... path) {
    JsonNode parent = copy().at(pointer(path, last));
    if (parent instanceof ObjectNode object) {
      object.set(path[last], value);
      edits.add(new Edit("add", pointer(path, last + 1).toString(), value.deepCopy()));
    } else if (parent instanceof ArrayNode array) { // "add" would insert an item
      array.set(index(path[last]), value);
      edits.add(new Edit("replace", pointer(path, last + 1).toString(), value.deepCopy()));
    }
  }

  private JsonNode copy() {
    if (copy == null) {
      copy = original.deepCopy();
    }
    return copy;
  }

  private static JsonPointer pointer(String[] path, int length) {
    JsonPointer pointer = JsonPointer.empty();
    for (int i = 0; i < length; i++) {
      pointer = pointer.appendProperty(path[i]);
    }
    return pointer;
  }
}
