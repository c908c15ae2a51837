package dev.sluice.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value as it was written: a range of bytes that is known to hold exactly one well-formed
 * value. Shares the bytes with the caller; they must not change.
 */
public final class JsonSlice implements Json {
  /** The value null. */
  public static final JsonSlice NULL = literal("null");

  private final CheckedText text;
  private final byte[] bytes;
  private final int start;
  private final int end;
  private final int number;

  /**
   * The value in {@code bytes[start, end)} of the text, without blanks around it.
   *
   * @param number its number among the objects and lists of the text, if it is one
   */
  JsonSlice(CheckedText text, int start, int end, int number) {
    this.text = text;
    this.bytes = text.bytes();
    this.start = start;
    this.end = end;
    this.number = number;
  }

  /** The value that these bytes hold, and nothing else. */
  static JsonSlice ofWhole(byte[] bytes) {
    return new JsonSlice(CheckedText.unindexed(bytes), 0, bytes.length, CheckedText.UNKNOWN);
  }

  /** A string value. */
  public static JsonSlice text(String text) {
    JsonOutput out = new JsonOutput(text.length() + 16);
    out.writeText(text);
    return out.toSlice();
  }

  /** A whole number. */
  public static JsonSlice number(long value) {
    return literal(Long.toString(value));
  }

  private static JsonSlice literal(String json) {
    return ofWhole(json.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public Type type() {
    return switch (bytes[start]) {
      case '{' -> Type.OBJECT;
      case '[' -> Type.ARRAY;
      case '"' -> Type.TEXT;
      case 't', 'f' -> Type.BOOLEAN;
      case 'n' -> Type.NULL;
      default -> Type.NUMBER;
    };
  }

  /** Where the value begins in the bytes it was checked in. */
  public int start() {
    return start;
  }

  /** Where the value ends in the bytes it was checked in. */
  int end() {
    return end;
  }

  boolean isStructure() {
    return bytes[start] == '{' || bytes[start] == '[';
  }

  /** The length in bytes. */
  public int length() {
    return end - start;
  }

  /** How many values there can be at most in this one, itself included; looks at each byte. */
  public long valuesAtMost() {
    return TextCounts.of(bytes, start, end).values();
  }

  /** How many items or members this value has, if it is a list or an object; opens nothing. */
  public int countChildren() {
    return isStructure() ? Scanner.countChildren(text, start, number) : 0;
  }

  /** The decoded string if this value is one, otherwise null. */
  public @Nullable String text() {
    return bytes[start] == '"' ? Scanner.decodeText(bytes, start, end) : null;
  }

  /** The characters of the decoded string, in UTF-16 units, if this value is one. */
  public int textLength() {
    return Scanner.textLength(bytes, start, end);
  }

  /** Whether this value is a number written with digits only, but for its sign. */
  public boolean isInteger() {
    int first = bytes[start] == '-' ? start + 1 : start;
    for (int i = first; i < end; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return first < end;
  }

  /** The value as it was written, in UTF-8; a copy. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  /** The value as it was written. */
  public String spelling() {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  @Override
  public Json opened() {
    return switch (bytes[start]) {
      case '{' -> Scanner.openObject(text, start, number);
      case '[' -> Scanner.openArray(text, start, number);
      default -> this;
    };
  }

  @Override
  public void writeTo(JsonOutput out) {
    out.write(bytes, start, end - start);
  }

  /** Whether the other slice is written with the same bytes. */
  public boolean sameSpelling(JsonSlice other) {
    return Arrays.equals(bytes, start, end, other.bytes, other.start, other.end);
  }

  @Override
  public String toString() {
    return spelling();
  }
}
