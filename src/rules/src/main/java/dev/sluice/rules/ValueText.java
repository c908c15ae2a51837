package dev.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Map;

/**
 * Writes a value from a request into a message: compact JSON that ends after {@link #MAX_LENGTH}
 * characters, with everything escaped that could pretend to be another line or another text. Stops
 * reading there too, so a hostile value of megabytes costs no more than a short one.
 */
public final class ValueText {
  /** After this many characters {@code ...} follows instead of the rest. */
  public static final int MAX_LENGTH = 200;

  private final StringBuilder out = new StringBuilder();

  private ValueText() {}

  /** The value as bounded compact JSON; text is in quotes. */
  public static String of(JsonNode value) {
    var text = new ValueText();
    text.append(value);
    return text.finished();
  }

  /** The text in quotes, bounded. */
  public static String quoted(String value) {
    var text = new ValueText();
    text.appendQuoted(value);
    return text.finished();
  }

  /** The text as it stands, bounded and escaped, for places where Kubernetes puts no quotes. */
  static String plain(String value) {
    var text = new ValueText();
    text.appendEscaped(value);
    return text.finished();
  }

  private String finished() {
    if (isFull()) {
      out.setLength(MAX_LENGTH);
      out.append("...");
    }
    return out.toString();
  }

  private boolean isFull() {
    return out.length() > MAX_LENGTH;
  }

  // each level of nesting writes a character before it descends, so the depth is bounded as well
  private void append(JsonNode value) {
    if (value.isObject()) {
      appendObject(value);
    } else if (value.isArray()) {
      appendList(value);
    } else if (value.isTextual()) {
      appendQuoted(value.textValue());
    } else if (value.isBigInteger() && value.bigIntegerValue().bitLength() > 4 * MAX_LENGTH) {
      out.append("a number of more than ").append(MAX_LENGTH).append(" digits");
    } else {
      out.append(value.isMissingNode() ? "null" : value.asText());
    }
  }

  private void appendObject(JsonNode object) {
    out.append('{');
    Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
    while (members.hasNext() && !isFull()) {
      Map.Entry<String, JsonNode> member = members.next();
      appendQuoted(member.getKey());
      out.append(':');
      append(member.getValue());
      out.append(members.hasNext() ? "," : "");
    }
    out.append('}');
  }

  private void appendList(JsonNode list) {
    out.append('[');
    for (int i = 0; i < list.size() && !isFull(); i++) {
      out.append(i > 0 ? "," : "");
      append(list.get(i));
    }
    out.append(']');
  }

  private void appendQuoted(String value) {
    out.append('"');
    appendEscaped(value);
    out.append('"');
  }

  private void appendEscaped(String value) {
    for (int i = 0; i < value.length() && !isFull(); ) {
      int character = value.codePointAt(i);
      appendEscaped(character);
      i += Character.charCount(character);
    }
  }

  private void appendEscaped(int character) {
    switch (character) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (isPrintable(character)) {
          out.appendCodePoint(character);
        } else {
          out.append(String.format(character > 0xffff ? "\\U%08x" : "\\u%04x", character));
        }
      }
    }
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
