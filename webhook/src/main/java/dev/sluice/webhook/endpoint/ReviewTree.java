package dev.sluice.webhook.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.math.BigInteger;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON from outside as a tree of which only what somebody looks at is made. All of the text is
 * checked first; then an object or list is opened, one level of it, when it is asked for the first
 * time. Rules look at little of most objects: a Job is containers with their environment above all,
 * and to make nodes of them costs more than to check their text.
 *
 * <p>The tree cannot be changed, and is for one thread. It shares the bytes. See {@code
 * docs/contributing/decisions/0011-reviews.md}.
 */
final class ReviewTree {
  private static final int SURE_LONG = 18; // so many digits are a long in any case

  private ReviewTree() {}

  /**
   * The one value that the bytes hold. They must not change afterwards.
   *
   * @throws MalformedJsonException if they hold anything else, or if a bound is passed
   */
  static JsonNode of(byte[] json, JsonSyntax syntax) throws MalformedJsonException {
    return node(syntax.check(json));
  }

  private static JsonNode node(JsonSlice value) {
    return switch (value.type()) {
      case OBJECT -> new ObjectNode(JsonNodeFactory.instance, new Members(value));
      case ARRAY -> new ArrayNode(JsonNodeFactory.instance, new Items(value));
      case TEXT -> TextNode.valueOf(value.text());
      case NUMBER -> value.isInteger() ? integer(value.spelling()) : decimal(value.spelling());
      case BOOLEAN -> BooleanNode.valueOf(value.spelling().equals("true"));
      case NULL -> NullNode.getInstance();
    };
  }

  private static JsonNode decimal(String digits) {
    return DoubleNode.valueOf(Double.parseDouble(digits));
  }

  private static JsonNode integer(String digits) {
    if (digits.length() <= SURE_LONG) {
      return integer(Long.parseLong(digits));
    }
    BigInteger number = new BigInteger(digits);
    return number.bitLength() < Long.SIZE
        ? integer(number.longValue())
        : BigIntegerNode.valueOf(number);
  }

  private static JsonNode integer(long number) {
    return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
  }

  /** The members of an object, opened when somebody looks, and each made when it is asked for. */
  private static final class Members extends AbstractMap<String, JsonNode> {
    private final JsonSlice object;
    private @Nullable JsonObject opened;
    private @Nullable JsonNode[] nodes = {};

    private Members(JsonSlice object) {
      this.object = object;
    }

    private JsonObject opened() {
      JsonObject members = opened;
      if (members == null) {
        members = (JsonObject) object.opened();
        nodes = new JsonNode[members.size()];
        opened = members;
      }
      return members;
    }

    private JsonNode nodeAt(int index) {
      JsonNode node = nodes[index];
      if (node == null) {
        node = unread(opened().valueAt(index));
        nodes[index] = node;
      }
      return node;
    }

    @Override
    public @Nullable JsonNode get(Object key) {
      int index = indexOf(key);
      return index < 0 ? null : nodeAt(index);
    }

    @Override
    public boolean containsKey(Object key) {
      return indexOf(key) >= 0;
    }

    private int indexOf(Object key) {
      return key instanceof String text ? opened().indexOf(text) : -1;
    }

    @Override
    public int size() {
      return opened().size();
    }

    @Override
    public Set<Entry<String, JsonNode>> entrySet() {
      return new Entries(this);
    }
  }

  private static final class Entries extends AbstractSet<Map.Entry<String, JsonNode>> {
    private final Members members;

    private Entries(Members members) {
      this.members = members;
    }

    @Override
    public int size() {
      return members.size();
    }

    @Override
    public Iterator<Map.Entry<String, JsonNode>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < members.size();
        }

        @Override
        public Map.Entry<String, JsonNode> next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          int index = next++;
          return Map.entry(members.opened().keyAt(index), members.nodeAt(index));
        }
      };
    }
  }

  /** The items of a list, opened when somebody looks. */
  private static final class Items extends AbstractList<JsonNode> {
    private final JsonSlice list;
    private @Nullable List<JsonNode> opened;

    private Items(JsonSlice list) {
      this.list = list;
    }

    private List<JsonNode> opened() {
      if (opened == null) {
        opened = open((JsonArray) list.opened());
      }
      return opened;
    }

    private static List<JsonNode> open(JsonArray list) {
      List<JsonNode> items = new ArrayList<>(list.size());
      for (int i = 0; i < list.size(); i++) {
        items.add(unread(list.get(i)));
      }
      return items;
    }

    @Override
    public JsonNode get(int index) {
      return opened().get(index);
    }

    @Override
    public int size() {
      return opened().size();
    }
  }

  private static JsonNode unread(Json value) {
    return node((JsonSlice) value); // what was just opened holds slices
  }
}
