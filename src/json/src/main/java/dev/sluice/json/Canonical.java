package dev.sluice.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The one form in which two spellings of the same value look alike: no blanks, members sorted by
 * code point, strings with the fewest escapes, numbers as they were spelled.
 *
 * <p>It serves three ends: what annotations hold, what digests are taken of, and what "equal"
 * means.
 */
public final class Canonical {
  /** Orders strings by code point, which is the order of their UTF-8 bytes. */
  static final Comparator<String> BY_CODE_POINT = Canonical::compareByCodePoint;

  private Canonical() {}

  /** The canonical text of a value. */
  public static String text(Json value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /** The canonical text of a value in UTF-8. */
  public static byte[] bytes(Json value) {
    JsonOutput out = new JsonOutput();
    write(value, out);
    return out.toByteArray();
  }

  /** Whether two values have the same type and content; order of members and escapes aside. */
  public static boolean equal(Json a, Json b) {
    if (a == b || (a instanceof JsonSlice x && b instanceof JsonSlice y && x.sameSpelling(y))) {
      return true;
    }
    if (a.type() != b.type()) {
      return false;
    }
    return switch (a.opened()) {
      case JsonObject x -> b.opened() instanceof JsonObject y && sameMembers(x, y);
      case JsonArray x -> b.opened() instanceof JsonArray y && sameItems(x, y);
      case JsonSlice x -> b.opened() instanceof JsonSlice y && sameScalar(x, y);
    };
  }

  private static boolean sameMembers(JsonObject a, JsonObject b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      Json other = b.get(a.keyAt(i));
      if (other == null || !equal(a.valueAt(i), other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameItems(JsonArray a, JsonArray b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameScalar(JsonSlice a, JsonSlice b) {
    String text = a.text();
    return text == null ? a.sameSpelling(b) : text.equals(b.text());
  }

  private static void write(Json value, JsonOutput out) {
    switch (value.opened()) {
      case JsonObject object -> writeObject(object, out);
      case JsonArray array -> writeArray(array, out);
      case JsonSlice scalar -> writeScalar(scalar, out);
    }
  }

  private static void writeObject(JsonObject object, JsonOutput out) {
    Integer[] order = new Integer[object.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(object::keyAt, BY_CODE_POINT));
    out.write('{');
    for (int i = 0; i < order.length; i++) {
      if (i > 0) {
        out.write(',');
      }
      out.writeText(object.keyAt(order[i]));
      out.write(':');
      write(object.valueAt(order[i]), out);
    }
    out.write('}');
  }

  private static void writeArray(JsonArray array, JsonOutput out) {
    out.write('[');
    for (int i = 0; i < array.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      write(array.get(i), out);
    }
    out.write(']');
  }

  private static void writeScalar(JsonSlice scalar, JsonOutput out) {
    String text = scalar.text();
    if (text == null) {
      scalar.writeTo(out);
    } else {
      out.writeText(text);
    }
  }

  private static int compareByCodePoint(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean oneSurrogate = Character.isSurrogate(x) != Character.isSurrogate(y);
        return oneSurrogate ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
