package dev.sluice.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the bytes of an object or list as programs write them, several times faster than a
 * parser. What it accepts a parser accepts, too, and no key stands twice in it. What it does not
 * accept may be wrong or only unusual (escapes in keys, exponents, very many keys): the parser
 * decides that, and finds the words. Used once, by one thread.
 */
final class FastCheck {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_KEYS = 64;
  private static final int MAX_KEY = 200; // bytes
  private static final int MAX_NUMBER = 18;

  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private final byte[] json;
  private final int maxDepth;
  private final int maxText;
  private final CheckedText.Indexer index;
  private final long[][] keys =
      new long[MAX_DEPTH][]; // by depth: hashes of those of the open object
  private long hash; // of the key that was read last
  private int at;

  private FastCheck(byte[] json, JsonLimits limits) {
    this.json = json;
    this.maxDepth = Math.min(MAX_DEPTH, limits.maxDepth());
    this.maxText = limits.maxTextLength();
    this.index = CheckedText.Indexer.of(json.length, limits);
  }

  /**
   * The object or list that is all the bytes hold, or null if that is not certain.
   *
   * @param json known to be UTF-8
   */
  static @Nullable JsonSlice certain(byte[] json, JsonLimits limits) {
    return new FastCheck(json, limits).certain();
  }

  private @Nullable JsonSlice certain() {
    skipBlanks();
    int start = at;
    if ((peek() != '{' && peek() != '[') || !isValue(0)) {
      return null;
    }
    int end = at;
    skipBlanks();
    return at == json.length ? new JsonSlice(index.text(json), start, end, 0) : null;
  }

  /** The next byte; 0, which has no place in JSON, at the end. */
  private byte peek() {
    return at < json.length ? json[at] : 0;
  }

  private void skipBlanks() {
    while (at < json.length && isBlank(json[at])) {
      at++;
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  // each level of nesting is a level of the stack, and there are few
  private boolean isValue(int depth) {
    return switch (peek()) {
      case '"' -> isText();
      case '{' -> depth < maxDepth && isObject(depth);
      case '[' -> depth < maxDepth && isList(depth);
      case 't' -> isWord(TRUE);
      case 'f' -> isWord(FALSE);
      case 'n' -> isWord(NULL);
      default -> isNumber();
    };
  }

  private boolean isObject(int depth) {
    if (index.isFull()) {
      return false;
    }
    open();
    int count = 0;
    boolean more = peek() != '}';
    while (more) {
      if (count == MAX_KEYS || !isKey() || !isNew(depth, count) || !isValue(depth + 1)) {
        return false;
      }
      count++;
      more = isComma();
    }
    return isClose('}');
  }

  private boolean isList(int depth) {
    if (index.isFull()) {
      return false;
    }
    open();
    boolean more = peek() != ']';
    while (more) {
      if (!isValue(depth + 1)) {
        return false;
      }
      more = isComma();
    }
    return isClose(']');
  }

  private void open() {
    index.begin();
    at++;
    skipBlanks();
  }

  /** Whether another value follows; then it is next. */
  private boolean isComma() {
    skipBlanks();
    boolean is = peek() == ',';
    if (is) {
      at++;
      skipBlanks();
    }
    return is;
  }

  private boolean isClose(char bracket) {
    boolean is = peek() == bracket;
    if (is) {
      index.end(++at);
    }
    return is;
  }

  /** Reads a key of plain characters and the colon after it. */
  private boolean isKey() {
    if (peek() != '"') {
      return false;
    }
    int end = Math.min(json.length, at + MAX_KEY);
    long mixed = 0;
    int i = at + 1;
    while (i < end && json[i] != '"') {
      if (json[i] < ' ' || json[i] == '\\') {
        return false;
      }
      mixed = mixed * 0x9e3779b97f4a7c15L + json[i];
      i++;
    }
    if (i == end) {
      return false;
    }
    hash = mixed;
    at = i + 1;
    skipBlanks();
    if (peek() != ':') {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  /** Whether the key is certainly none of those before it in its object. */
  private boolean isNew(int depth, int count) {
    long[] before = before(depth, count);
    for (int i = 0; i < count; i++) {
      if (before[i] == hash) {
        return false;
      }
    }
    before[count] = hash;
    return true;
  }

  private long[] before(int depth, int count) {
    long[] before = keys[depth];
    if (before == null) {
      before = new long[16];
    } else if (count == before.length) {
      before = Arrays.copyOf(before, MAX_KEYS);
    }
    keys[depth] = before;
    return before;
  }

  private boolean isText() {
    int start = at;
    int i = at + 1;
    while (i < json.length && json[i] != '"') {
      if (json[i] == '\\') {
        int escape = escape(i);
        if (escape == 0) {
          return false;
        }
        i += escape;
      } else if (json[i] >= 0 && json[i] < ' ') {
        return false;
      } else {
        i++;
      }
    }
    at = i + 1;
    return i < json.length && i - start <= maxText;
  }

  /** The length of the escape that begins here; 0 if it is none for certain. */
  private int escape(int start) {
    if (start + 6 > json.length) {
      return 0;
    }
    return switch (json[start + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' ->
          isHex(start + 2) && isHex(start + 3) && isHex(start + 4) && isHex(start + 5) ? 6 : 0;
      default -> 0;
    };
  }

  private boolean isHex(int index) {
    return Character.digit(json[index], 16) >= 0;
  }

  private boolean isNumber() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    int whole = at;
    int digits = skipDigits();
    if (digits == 0 || (digits > 1 && json[whole] == '0')) {
      return false;
    }
    if (peek() == '.') {
      at++;
      if (skipDigits() == 0) {
        return false;
      }
    }
    return at - start <= MAX_NUMBER && isDelimited();
  }

  private int skipDigits() {
    int start = at;
    while (at < json.length && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    return at - start;
  }

  private boolean isWord(byte[] word) {
    int end = at + word.length;
    if (end > json.length || !Arrays.equals(json, at, end, word, 0, word.length)) {
      return false;
    }
    at = end;
    return isDelimited();
  }

  private boolean isDelimited() {
    byte next = peek();
    return next == ',' || next == '}' || next == ']' || isBlank(next);
  }
}
