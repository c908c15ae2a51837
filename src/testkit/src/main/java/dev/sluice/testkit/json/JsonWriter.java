package dev.sluice.testkit.json;

import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonBoolean;
import dev.sluice.testkit.json.SpelledJson.JsonNull;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Writes a tree as text. */
final class JsonWriter {
  private static final List<String> SPACES = List.of(" ", "\n", "\t", "\r\n", "  \n   ");
  private static final Map<Character, String> SHORT_ESCAPES =
      Map.of(
          '"', "\\\"", '\\', "\\\\", '/', "\\/", '\b', "\\b", '\f', "\\f", '\n', "\\n", '\r', "\\r",
          '\t', "\\t");

  private final JsonStyle style;
  private final StringBuilder out;

  JsonWriter(JsonStyle style, StringBuilder out) {
    this.style = style;
    this.out = out;
  }

  void write(SpelledJson value) {
    space();
    switch (value) {
      case JsonNull() -> out.append("null");
      case JsonBoolean(boolean flag) -> out.append(flag);
      case JsonNumber(String spelling) -> out.append(spelling);
      case JsonText(String text) -> quote(text);
      case JsonArray(var items) -> array(items);
      case JsonObject(var members) -> object(members);
    }
    space();
  }

  private void array(List<SpelledJson> items) {
    out.append('[');
    String separator = "";
    for (SpelledJson item : items) {
      out.append(separator);
      write(item);
      separator = ",";
    }
    out.append(']');
  }

  private void object(Map<String, SpelledJson> members) {
    out.append('{');
    String separator = "";
    for (var member : members.entrySet()) {
      out.append(separator);
      space();
      quote(member.getKey());
      space();
      out.append(':');
      write(member.getValue());
      separator = ",";
    }
    out.append('}');
  }

  private void space() {
    RandomGenerator random = style.random;
    if (random != null && random.nextInt(6) == 0) {
      out.append(SPACES.get(random.nextInt(SPACES.size())));
    }
  }

  private void quote(String text) {
    out.append('"');
    text.codePoints().forEach(this::character);
    out.append('"');
  }

  private void character(int point) {
    boolean must = point < ' ' || point == '"' || point == '\\' || isUnpaired(point);
    @Nullable String brief = SHORT_ESCAPES.get((char) point);
    if (brief != null && point < 0x80 && (must ? !chance(4) : chance(3))) {
      out.append(brief);
    } else if (must || chance(25)) {
      // both halves of a pair or neither: half of one cannot be encoded in UTF-8
      for (char c : Character.toChars(point)) {
        unicodeEscape(c);
      }
    } else {
      out.appendCodePoint(point);
    }
  }

  private void unicodeEscape(char c) {
    String digits = String.format(Locale.ROOT, "%04x", (int) c);
    out.append("\\u").append(chance(2) ? digits.toUpperCase(Locale.ROOT) : digits);
  }

  /** An unpaired surrogate can travel only as an escape. */
  private static boolean isUnpaired(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  /** One time in {@code n}, and never in the compact style. */
  private boolean chance(int n) {
    return style.random != null && style.random.nextInt(n) == 0;
  }
}
