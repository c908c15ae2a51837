package dev.sluice.api.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes an expression apart. For one thread, and one text. */
final class Lexer {
  private static final List<String> SIGNS =
      List.of(
          "&&", "||", "==", "!=", "<=", ">=", "[?", ".?", "<", ">", "!", "?", ":", "+", "-", "*",
          "/", "%", "(", ")", "[", "]", "{", "}", ",", ".");
  private static final String TRIPLE = "\"\"\"";
  private static final char MOST_ASCII = 128;
  private static final int DECIMAL = 10;
  private static final int HEX = 16;
  private static final int OCTAL = 8;

  private final String text;
  private int next;

  Lexer(String text) {
    this.text = text;
  }

  List<Token> tokens() {
    List<Token> tokens = new ArrayList<>();
    skip();
    while (next < text.length()) {
      tokens.add(token());
      skip();
    }
    tokens.add(new Token(Token.Kind.END, "", text.length() + 1));
    return tokens;
  }

  private void skip() {
    while (next < text.length()) {
      if (Character.isWhitespace(text.charAt(next))) {
        next++;
      } else if (text.startsWith("//", next)) {
        int end = text.indexOf('\n', next);
        next = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  private Token token() {
    int start = next;
    char first = text.charAt(start);
    if (isDigit(first) || (first == '.' && isDigit(at(start + 1)))) {
      return number();
    }
    if (first == '"' || first == '\'') {
      return quoted(start, false);
    }
    if (isRaw(first) && (at(start + 1) == '"' || at(start + 1) == '\'')) {
      next++;
      return quoted(start, true);
    }
    if (isLetter(first)) {
      while (isLetter(at(next)) || isDigit(at(next))) {
        next++;
      }
      return new Token(Token.Kind.NAME, text.substring(start, next), start + 1);
    }
    for (String sign : SIGNS) {
      if (text.startsWith(sign, start)) {
        next += sign.length();
        return new Token(Token.Kind.SIGN, sign, start + 1);
      }
    }
    throw new CelException("at %d: '%s' is no word of CEL".formatted(start + 1, first));
  }

  private static boolean isRaw(char prefix) {
    return prefix == 'r' || prefix == 'R';
  }

  private char at(int index) {
    return index < text.length() ? text.charAt(index) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private Token number() {
    int start = next;
    boolean isWhole = true;
    if (text.regionMatches(true, start, "0x", 0, 2)) {
      next += 2;
      digits(start, HEX);
    } else {
      digits(start, DECIMAL);
      if (at(next) == '.' && isDigit(at(next + 1))) {
        isWhole = false;
        next++;
        digits(start, DECIMAL);
      }
      if (at(next) == 'e' || at(next) == 'E') {
        isWhole = false;
        next += at(next + 1) == '+' || at(next + 1) == '-' ? 2 : 1;
        digits(start, DECIMAL);
      }
    }
    if (isLetter(at(next))) {
      throw badNumber(start);
    }
    Token.Kind kind = isWhole ? Token.Kind.INTEGER : Token.Kind.NUMBER;
    return new Token(kind, text.substring(start, next).toLowerCase(Locale.ROOT), start + 1);
  }

  /** One or more; none at all before the dot of a fraction. */
  private void digits(int start, int radix) {
    int first = next;
    while (Character.digit(at(next), radix) >= 0 && at(next) < MOST_ASCII) {
      next++;
    }
    if (next == first && at(next) != '.') {
      throw badNumber(start);
    }
  }

  private CelException badNumber(int start) {
    return new CelException(
        "at %d: %s is no number here (expected: a whole or a decimal one)"
            .formatted(start + 1, text.substring(start, Math.min(text.length(), next + 1))));
  }

  private Token quoted(int start, boolean raw) {
    String quote = text.substring(next, next + 1);
    String triple = quote.repeat(TRIPLE.length());
    String end = text.startsWith(triple, next) ? triple : quote;
    next += end.length();
    var value = new StringBuilder();
    while (!text.startsWith(end, next)) {
      char c = at(next);
      if (next >= text.length() || (end.length() == 1 && (c == '\n' || c == '\r'))) {
        throw new CelException("at %d: a text without an end".formatted(start + 1));
      }
      if (c == '\\' && !raw) {
        escape(value);
      } else {
        value.append(c);
        next++;
      }
    }
    next += end.length();
    return new Token(Token.Kind.TEXT, value.toString(), start + 1);
  }

  private void escape(StringBuilder value) {
    char c = at(next + 1);
    int start = next;
    next += 2;
    switch (c) {
      case 'a' -> value.append('\u0007');
      case 'b' -> value.append('\b');
      case 'f' -> value.append('\f');
      case 'n' -> value.append('\n');
      case 'r' -> value.append('\r');
      case 't' -> value.append('\t');
      case 'v' -> value.append('\u000B');
      case '\\', '\'', '"', '`', '?' -> value.append(c);
      case 'x', 'X' -> code(value, start, 2, HEX);
      case 'u' -> code(value, start, 4, HEX);
      case 'U' -> code(value, start, 8, HEX);
      case '0', '1', '2', '3' -> {
        next--;
        code(value, start, 3, OCTAL);
      }
      default -> throw badEscape(start);
    }
  }

  private void code(StringBuilder value, int start, int length, int radix) {
    long code = 0;
    for (int i = 0; i < length; i++) {
      int digit = Character.digit(at(next), radix);
      if (digit < 0) {
        throw badEscape(start);
      }
      code = code * radix + digit;
      next++;
    }
    boolean isSurrogate = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
    if (code > Character.MAX_CODE_POINT || isSurrogate) {
      throw badEscape(start);
    }
    value.appendCodePoint((int) code);
  }

  private CelException badEscape(int start) {
    return new CelException(
        "at %d: %s is no escape"
            .formatted(start + 1, text.substring(start, Math.min(text.length(), start + 2))));
  }
}
