package dev.sluice.testkit.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value that remembers how it was spelled: numbers keep their text, objects the order of
 * their keys. Only white space and the choice of string escapes are forgotten.
 *
 * <p>{@code equals} compares number spellings but ignores the order of keys; {@link #sameSpelling}
 * compares that too. All values are immutable.
 */
public sealed interface SpelledJson {
  /** The value null. */
  record JsonNull() implements SpelledJson {}

  record JsonBoolean(boolean value) implements SpelledJson {}

  /** A string, without quotes and escapes. */
  record JsonText(String value) implements SpelledJson {}

  /**
   * A number by its text: 1.0 and 1 differ.
   *
   * @param spelling as the JSON grammar has it
   */
  record JsonNumber(String spelling) implements SpelledJson {
    public JsonNumber {
      if (!spelling.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
        throw new IllegalArgumentException(spelling + " (expected: a JSON number)");
      }
    }
  }

  record JsonArray(List<SpelledJson> items) implements SpelledJson {
    public JsonArray {
      items = List.copyOf(items);
    }
  }

  /** An object; the map iterates in the order in which the keys are written. */
  record JsonObject(Map<String, SpelledJson> members) implements SpelledJson {
    public JsonObject {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** The member of that name, if there is one. */
    public Optional<SpelledJson> find(String name) {
      return Optional.ofNullable(members.get(name));
    }

    /** This object with the member set: in its place if it was there, else at the end. */
    public JsonObject with(String name, SpelledJson value) {
      var changed = new LinkedHashMap<>(members);
      changed.put(name, value);
      return new JsonObject(changed);
    }
  }

  /**
   * Reads one JSON value with any white space, any escapes and unpaired surrogates.
   *
   * @throws IllegalArgumentException with the offset if the text is not JSON, names a key twice or
   *     nests deeper than 500 levels
   */
  static SpelledJson parse(String text) {
    return new JsonReader(text).read();
  }

  /** The text without white space and with no more escapes than needed. */
  default String write() {
    return write(JsonStyle.compact());
  }

  /** The text in the given style. */
  default String write(JsonStyle style) {
    var out = new StringBuilder();
    new JsonWriter(style, out).write(this);
    return out.toString();
  }

  /** Whether both would be written the same: equal, and with every key at the same place. */
  default boolean sameSpelling(SpelledJson other) {
    return differenceFrom(other).isEmpty();
  }

  /**
   * Where the two first differ in value, spelling or order, as a sentence that begins with a JSON
   * path; empty if they do not.
   */
  default Optional<String> differenceFrom(SpelledJson other) {
    return difference("$", this, other);
  }

  private static Optional<String> difference(String path, SpelledJson one, SpelledJson two) {
    if (one instanceof JsonObject(var left) && two instanceof JsonObject(var right)) {
      return differenceOfMembers(path, left, right);
    }
    if (one instanceof JsonArray(var left)
        && two instanceof JsonArray(var right)
        && left.size() == right.size()) {
      return differenceOfItems(path, left, right);
    }
    return one.equals(two)
        ? Optional.empty()
        : Optional.of(path + ": " + one.write() + " and " + two.write());
  }

  private static Optional<String> differenceOfItems(
      String path, List<SpelledJson> left, List<SpelledJson> right) {
    for (int i = 0; i < left.size(); i++) {
      var found = difference(path + "[" + i + "]", left.get(i), right.get(i));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> differenceOfMembers(
      String path, Map<String, SpelledJson> left, Map<String, SpelledJson> right) {
    var keys = new ArrayList<>(left.keySet());
    var others = new ArrayList<>(right.keySet());
    if (!keys.equals(others)) {
      return Optional.of(path + ": keys " + keys + " and " + others);
    }
    Iterator<SpelledJson> values = right.values().iterator();
    for (var member : left.entrySet()) {
      var found = difference(path + "." + member.getKey(), member.getValue(), values.next());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
