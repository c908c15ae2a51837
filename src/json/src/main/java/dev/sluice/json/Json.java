package dev.sluice.json;

/**
 * A JSON value, opened or not. Numbers keep their spelling and objects the order of their members.
 *
 * <p>Values are confined to the thread that converts one object; opened objects and arrays can be
 * changed in place.
 */
public sealed interface Json permits JsonObject, JsonArray, JsonSlice {

  /** The type of a JSON value. */
  enum Type {
    OBJECT("an object"),
    ARRAY("a list"),
    TEXT("a string"),
    NUMBER("a number"),
    BOOLEAN("true or false"),
    NULL("null");

    private final String words;

    Type(String words) {
      this.words = words;
    }

    /** The type in words, with its article, for messages. */
    public String words() {
      return words;
    }
  }

  /** The type of this value; does not open it. */
  Type type();

  /** This value with one level of it opened: a slice of an object or a list becomes that. */
  Json opened();

  /** Writes the value as JSON; what is not opened is written as it came. */
  void writeTo(JsonOutput out);

  /** Whether this is an object without members. */
  default boolean isEmptyObject() {
    return opened() instanceof JsonObject object && object.size() == 0;
  }
}
