package dev.sluice.manifests.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes trees of JSON as YAML in block style: the same tree gives the same bytes, keys keep their
 * order, lines end in {@code \n}. Reading the text gives the tree again.
 *
 * <p>A text is written plain where no YAML 1.1 or 1.2 reader could take it for anything else,
 * folded where it is long prose, as a literal block where it has several lines, and quoted
 * otherwise.
 */
public final class YamlWriter {

  private static final int WIDTH = 100;
  private static final int NARROWEST = 40;
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z./][A-Za-z0-9 ._/()=<>+*$\\[\\]'\",;&|?!~@^-]*");
  private static final Pattern TAKEN_FOR_OTHER =
      Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n|\\.inf|\\.nan|\\.[0-9e].*");
  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e\\n]*");

  private static final Pattern ESCAPED =
      Pattern.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]");

  private final StringBuilder out = new StringBuilder();

  private YamlWriter() {}

  /** One document, without a marker before it. */
  public static String write(JsonNode document) {
    YamlWriter writer = new YamlWriter();
    writer.block(document, 0);
    return writer.out.toString();
  }

  /** A stream of documents, each with {@code ---} before it. */
  public static String writeAll(Iterable<? extends JsonNode> documents) {
    StringBuilder stream = new StringBuilder();
    documents.forEach(document -> stream.append("---\n").append(write(document)));
    return stream.toString();
  }

  private void block(JsonNode node, int indent) {
    if (node.isObject() && !node.isEmpty()) {
      object(node, indent);
    } else if (node.isArray() && !node.isEmpty()) {
      array(node, indent);
    } else {
      margin(indent).append(inline(node)).append('\n');
    }
  }

  private void object(JsonNode object, int indent) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      margin(indent).append(scalar(entry.getKey())).append(':');
      value(entry.getValue(), indent);
    }
  }

  private void array(JsonNode array, int indent) {
    for (JsonNode item : array) {
      if (item.isObject() && !item.isEmpty()) {
        int start = out.length() + indent;
        object(item, indent + 2);
        out.setCharAt(start, '-'); // the first key shares its line with the dash
      } else {
        margin(indent).append('-');
        value(item, indent);
      }
    }
  }

  private void value(JsonNode value, int indent) {
    if (value.isContainerNode() && !value.isEmpty()) {
      out.append('\n');
      block(value, indent + 2);
    } else if (value.isTextual()) {
      text(value.textValue(), indent + 2);
    } else {
      out.append(' ').append(inline(value)).append('\n');
    }
  }

  private void text(String text, int indent) {
    if (isLiteral(text)) {
      out.append(text.endsWith("\n") ? " |\n" : " |-\n");
      text.lines().forEach(line -> lineOf(line, indent));
    } else if (isProse(text, indent)) {
      out.append(" >-\n");
      wrap(text, Math.max(NARROWEST, WIDTH - indent)).forEach(line -> lineOf(line, indent));
    } else {
      out.append(' ').append(scalar(text)).append('\n');
    }
  }

  private void lineOf(String line, int indent) {
    if (line.isEmpty()) {
      out.append('\n');
    } else {
      margin(indent).append(line).append('\n');
    }
  }

  private StringBuilder margin(int indent) {
    return out.repeat(' ', indent);
  }

  /** Several lines that neither begin nor end in a way a block would change. */
  private static boolean isLiteral(String text) {
    return text.contains("\n")
        && PRINTABLE.matcher(text).matches()
        && !text.startsWith(" ")
        && !text.startsWith("\n")
        && !text.endsWith("\n\n")
        && !text.endsWith(" ");
  }

  /** A long line that folding at single blanks leaves as it is. */
  private static boolean isProse(String text, int indent) {
    return text.length() > Math.max(NARROWEST, WIDTH - indent)
        && text.contains(" ")
        && !text.contains("  ")
        && !text.contains("\n")
        && !text.startsWith(" ")
        && !text.endsWith(" ")
        && PRINTABLE.matcher(text).matches();
  }

  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static String inline(JsonNode node) {
    return node.isTextual()
        ? scalar(node.textValue())
        : node.isContainerNode() ? empty(node) : node.toString();
  }

  private static String empty(JsonNode node) {
    return node.isArray() ? "[]" : "{}";
  }

  private static String scalar(String text) {
    if (isPlain(text)) {
      return text;
    }
    if (PRINTABLE.matcher(text).matches() && !text.contains("\n")) {
      return text.contains("'") && !text.contains("\"") && !text.contains("\\")
          ? '"' + text + '"'
          : "'" + text.replace("'", "''") + "'";
    }
    return quoted(text);
  }

  /** As JSON, with those characters escaped that YAML takes for line breaks or refuses. */
  private static String quoted(String text) {
    return ESCAPED
        .matcher(TextNode.valueOf(text).toString())
        .replaceAll(match -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
  }

  private static boolean isPlain(String text) {
    return PLAIN.matcher(text).matches()
        && !TAKEN_FOR_OTHER.matcher(text).matches()
        && !text.startsWith("...")
        && !text.endsWith(" ");
  }
}
