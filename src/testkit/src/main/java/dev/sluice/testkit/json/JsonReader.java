package dev.sluice.testkit.json;

import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonBoolean;
import dev.sluice.testkit.json.SpelledJson.JsonNull;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** Reads one text, by recursive descent. */
final class JsonReader {
  private static final int DEEPEST = 500;

  private final String text;
  private int at;
  private int depth;

  JsonReader(String text) {
    this.text = text;
  }

  SpelledJson read() {
    SpelledJson value = value();
    skipSpace();
    if (at < text.length()) {
      throw wrong("the end");
    }
    return value;
  }

  private SpelledJson value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> new JsonText(string());
      case 't' -> word("true", new JsonBoolean(true));
      case 'f' -> word("false", new JsonBoolean(false));
      case 'n' -> word("null", new JsonNull());
      default -> number();
    };
  }

  private JsonObject object() {
    var members = new LinkedHashMap<String, SpelledJson>();
    open('{');
    if (!takes('}')) {
      do {
        skipSpace();
        String key = string();
        expect(':');
        SpelledJson value = value();
        if (members.putIfAbsent(key, value) != null) {
          throw wrong("key " + key + " once");
        }
      } while (takes(','));
      expect('}');
    }
    depth--;
    return new JsonObject(members);
  }

  private JsonArray array() {
    var items = new ArrayList<SpelledJson>();
    open('[');
    if (!takes(']')) {
      do {
        items.add(value());
      } while (takes(','));
      expect(']');
    }
    depth--;
    return new JsonArray(items);
  }

  private void open(char bracket) {
    expect(bracket);
    if (++depth > DEEPEST) {
      throw wrong("at most " + DEEPEST + " levels");
    }
  }

  private SpelledJson word(String word, SpelledJson value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private JsonNumber number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at == start) {
      throw wrong("a value");
    }
    return new JsonNumber(text.substring(start, at));
  }

  private String string() {
    if (peek() != '"') {
      throw wrong("\"");
    }
    at++;
    var value = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      if (c < ' ') {
        throw wrong("an escape for a control character");
      }
      value.append(c == '\\' ? escape() : c);
    }
    return value.toString();
  }

  private char escape() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong("an escape");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(next(), 16);
      if (digit < 0) {
        throw wrong("four hexadecimal digits");
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private boolean takes(char c) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!takes(c)) {
      throw wrong(String.valueOf(c));
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("a value");
    }
    return text.charAt(at);
  }

  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("JSON at offset " + at + " (expected: " + expected + ")");
  }
}
