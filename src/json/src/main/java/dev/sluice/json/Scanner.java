package dev.sluice.json;

import java.nio.charset.StandardCharsets;

/**
 * Finds where values begin and end in JSON that {@link JsonSyntax} has already checked. It checks
 * nothing itself, which is what makes it several times faster than a parser.
 */
final class Scanner {
  private Scanner() {}

  /** Opens the object of this number that begins at {@code start}. */
  static JsonObject openObject(CheckedText text, int start, int number) {
    byte[] json = text.bytes();
    JsonObject object = new JsonObject();
    int inner = text.indexed() ? number + 1 : CheckedText.UNKNOWN;
    int at = skipBlanks(json, start + 1);
    while (json[at] != '}') {
      int keyEnd = skipText(json, at);
      String key = decodeText(json, at, keyEnd);
      int valueStart = skipBlanks(json, skipBlanks(json, keyEnd) + 1); // over the colon
      JsonSlice value = value(text, valueStart, inner);
      inner = after(text, value, inner);
      object.append(key, value);
      at = skipSeparator(json, value.end());
    }
    return object;
  }

  /** Opens the list of this number that begins at {@code start}. */
  static JsonArray openArray(CheckedText text, int start, int number) {
    byte[] json = text.bytes();
    JsonArray array = new JsonArray();
    int inner = text.indexed() ? number + 1 : CheckedText.UNKNOWN;
    int at = skipBlanks(json, start + 1);
    while (json[at] != ']') {
      JsonSlice item = value(text, at, inner);
      inner = after(text, item, inner);
      array.add(item);
      at = skipSeparator(json, item.end());
    }
    return array;
  }

  /** How many items the list has, or members the object, of this number. */
  static int countChildren(CheckedText text, int start, int number) {
    byte[] json = text.bytes();
    boolean isObject = json[start] == '{';
    int inner = text.indexed() ? number + 1 : CheckedText.UNKNOWN;
    int count = 0;
    int at = skipBlanks(json, start + 1);
    while (json[at] != '}' && json[at] != ']') {
      if (isObject) {
        at = skipBlanks(json, skipBlanks(json, skipText(json, at)) + 1); // over the colon
      }
      boolean isNested = json[at] == '{' || json[at] == '[';
      int end = isNested && text.indexed() ? text.end(inner) : skipValue(json, at);
      inner = isNested ? text.next(inner) : inner;
      count++;
      at = skipSeparator(json, end);
    }
    return count;
  }

  /** The value that begins here; if it is an object or a list, it has the given number. */
  private static JsonSlice value(CheckedText text, int start, int number) {
    byte first = text.bytes()[start];
    if (first != '{' && first != '[') {
      return new JsonSlice(text, start, skipValue(text.bytes(), start), CheckedText.UNKNOWN);
    }
    int end = text.indexed() ? text.end(number) : skipNested(text.bytes(), start);
    return new JsonSlice(text, start, end, number);
  }

  private static int after(CheckedText text, JsonSlice value, int number) {
    return value.isStructure() ? text.next(number) : number;
  }

  /** The decoded text of the string in {@code json[start, end)}, quotes included. */
  static String decodeText(byte[] json, int start, int end) {
    for (int i = start + 1; i < end - 1; i++) {
      if (json[i] == '\\') {
        return decodeEscapes(new String(json, start + 1, end - start - 2, StandardCharsets.UTF_8));
      }
    }
    return new String(json, start + 1, end - start - 2, StandardCharsets.UTF_8);
  }

  /** The UTF-16 units of the string in {@code json[start, end)}, quotes left out. */
  static int textLength(byte[] json, int start, int end) {
    int length = 0;
    for (int i = start + 1; i < end - 1; i++) {
      if (json[i] == '\\') {
        i += json[i + 1] == 'u' ? 5 : 1;
        length++;
      } else if ((json[i] & 0xc0) != 0x80) { // not one of the bytes that continue a character
        length += (json[i] & 0xf8) == 0xf0 ? 2 : 1;
      }
    }
    return length;
  }

  private static String decodeEscapes(String text) {
    StringBuilder decoded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        decoded.append(c);
        continue;
      }
      char escape = text.charAt(++i);
      switch (escape) {
        case 'b' -> decoded.append('\b');
        case 'f' -> decoded.append('\f');
        case 'n' -> decoded.append('\n');
        case 'r' -> decoded.append('\r');
        case 't' -> decoded.append('\t');
        case 'u' -> {
          decoded.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
          i += 4;
        }
        default -> decoded.append(escape);
      }
    }
    return decoded.toString();
  }

  private static int skipSeparator(byte[] json, int at) {
    int separator = skipBlanks(json, at);
    return json[separator] == ',' ? skipBlanks(json, separator + 1) : separator;
  }

  private static int skipBlanks(byte[] json, int at) {
    int i = at;
    while (json[i] == ' ' || json[i] == '\n' || json[i] == '\t' || json[i] == '\r') {
      i++;
    }
    return i;
  }

  /** The index after the value that begins at {@code start}. */
  static int skipValue(byte[] json, int start) {
    return switch (json[start]) {
      case '"' -> skipText(json, start);
      case '{', '[' -> skipNested(json, start);
      default -> skipLiteral(json, start);
    };
  }

  private static int skipNested(byte[] json, int start) {
    int depth = 0;
    int i = start;
    do {
      switch (json[i]) {
        case '"' -> i = skipText(json, i) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      i++;
    } while (depth > 0);
    return i;
  }

  private static int skipText(byte[] json, int start) {
    int i = start + 1;
    while (json[i] != '"') {
      i += json[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private static int skipLiteral(byte[] json, int start) {
    int i = start;
    while (i < json.length && !endsLiteral(json[i])) {
      i++;
    }
    return i;
  }

  private static boolean endsLiteral(byte b) {
    return switch (b) {
      case ',', '}', ']', ' ', '\n', '\t', '\r' -> true;
      default -> false;
    };
  }
}
