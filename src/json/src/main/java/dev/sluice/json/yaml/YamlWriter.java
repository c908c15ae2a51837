package dev.sluice.json.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Writes JSON values as YAML in block style that reads back as the same values. The same value
 * gives the same text, keys keep their order, lines end in {@code \n}.
 *
 * <p>A text is plain where no reader of YAML 1.1 or 1.2 takes it for anything else, a literal block
 * where it has several lines, and quoted otherwise.
 */
public final class YamlWriter {
  /** Texts that some reader of YAML, 1.1 or 1.2, takes for a boolean or a number. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?i)y|n|=|<<|[-+]?(0[xob][0-9a-f_]+|\\.?[0-9][0-9_]*(\\.[0-9_]*)?(e[-+]?[0-9]+)?|\\.inf)");

  private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");
  private static final int INDENT = 2;
  private static final int WIDTH = 100;

  private YamlWriter() {}

  /**
   * The value as one document without a marker, as kubectl writes it: lists stand below their key,
   * numbers are spelled as they were, and no line is folded.
   */
  public static String write(Json value) {
    return serialize(node(value), options());
  }

  /** A tree of ours as one document without a marker: lists are indented, long prose is folded. */
  public static String write(JsonNode document) {
    DumperOptions options = options();
    options.setIndicatorIndent(INDENT);
    options.setIndentWithIndicator(true);
    options.setWidth(WIDTH);
    options.setSplitLines(true);
    return serialize(node(document, 0, 0), options);
  }

  /** A stream of documents, each with {@code ---} before it. */
  public static String writeAll(Iterable<? extends JsonNode> documents) {
    StringBuilder stream = new StringBuilder();
    documents.forEach(document -> stream.append("---\n").append(write(document)));
    return stream.toString();
  }

  private static DumperOptions options() {
    DumperOptions options = new DumperOptions();
    options.setIndent(INDENT);
    options.setSplitLines(false);
    return options;
  }

  private static String serialize(Node document, DumperOptions options) {
    StringWriter text = new StringWriter();
    new Yaml(options).serialize(document, text);
    return text.toString();
  }

  private static Node node(Json value) {
    return switch (value.opened()) {
      case JsonObject object -> mapping(object);
      case JsonArray array -> sequence(array);
      case JsonSlice scalar -> scalar(scalar);
    };
  }

  private static Node mapping(JsonObject object) {
    List<NodeTuple> members = new ArrayList<>();
    for (int i = 0; i < object.size(); i++) {
      members.add(new NodeTuple(text(object.keyAt(i)), node(object.valueAt(i))));
    }
    return new MappingNode(Tag.MAP, members, FlowStyle.BLOCK);
  }

  private static Node sequence(JsonArray array) {
    List<Node> items = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      items.add(node(array.get(i)));
    }
    return new SequenceNode(Tag.SEQ, items, FlowStyle.BLOCK);
  }

  private static Node scalar(JsonSlice scalar) {
    String text = scalar.text();
    if (text != null) {
      return text(text);
    }
    return switch (scalar.type()) {
      case NULL -> plain(Tag.NULL, scalar.spelling());
      case BOOLEAN -> plain(Tag.BOOL, scalar.spelling());
      default -> number(scalar.spelling());
    };
  }

  /**
   * The node of a value of a tree.
   *
   * @param indent the column of its keys or dashes, if it is a collection
   * @param column where it begins, if it is a text
   */
  private static Node node(JsonNode value, int indent, int column) {
    return switch (value.getNodeType()) {
      case OBJECT -> mapping((ObjectNode) value, indent);
      case ARRAY -> sequence(value, indent);
      case STRING -> textOrProse(value.textValue(), column);
      case BOOLEAN -> plain(Tag.BOOL, value.asText());
      case NUMBER -> number(value.toString());
      default -> plain(Tag.NULL, "null");
    };
  }

  private static Node mapping(ObjectNode object, int indent) {
    List<NodeTuple> members = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      int column = indent + member.getKey().length() + ": ".length();
      Node value = node(member.getValue(), indent + INDENT, column);
      members.add(new NodeTuple(text(member.getKey()), value));
    }
    return new MappingNode(Tag.MAP, members, FlowStyle.BLOCK);
  }

  private static Node sequence(JsonNode array, int indent) {
    List<Node> items = new ArrayList<>();
    for (JsonNode item : array) {
      items.add(node(item, indent + INDENT, indent + INDENT));
    }
    return new SequenceNode(Tag.SEQ, items, FlowStyle.BLOCK);
  }

  private static Node number(String spelling) {
    return plain(spelling.matches("-?[0-9]+") ? Tag.INT : Tag.FLOAT, spelling);
  }

  private static Node plain(Tag tag, String spelling) {
    return new ScalarNode(tag, spelling, null, null, ScalarStyle.PLAIN);
  }

  private static Node textOrProse(String text, int column) {
    return column + text.length() > WIDTH && isProse(text)
        ? text(text, ScalarStyle.FOLDED)
        : text(text);
  }

  /** What folding at single blanks leaves as it is. */
  private static boolean isProse(String text) {
    return text.contains(" ")
        && !text.contains("  ")
        && !text.startsWith(" ")
        && !text.endsWith(" ")
        && PRINTABLE.matcher(text).matches();
  }

  private static Node text(String text) {
    if (text.contains("\n") && text.chars().noneMatch(c -> c == '\r' || c == '\t')) {
      return text(text, ScalarStyle.LITERAL);
    }
    return text(
        text, AMBIGUOUS.matcher(text).matches() ? ScalarStyle.SINGLE_QUOTED : ScalarStyle.PLAIN);
  }

  private static Node text(String text, ScalarStyle style) {
    return new ScalarNode(Tag.STR, text, null, null, style);
  }
}
