package dev.sluice.json.yaml;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
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

/** Writes JSON values as YAML that reads back as the same values, numbers spelled as they were. */
public final class YamlWriter {
  /** Texts that some reader of YAML, 1.1 or 1.2, takes for a boolean or a number. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?i)y|n|=|<<|[-+]?(0[xob][0-9a-f_]+|\\.?[0-9][0-9_]*(\\.[0-9_]*)?(e[-+]?[0-9]+)?|\\.inf)");

  private YamlWriter() {}

  /** The value as one YAML document without a marker, ending in a newline. */
  public static String write(Json value) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setIndicatorIndent(0);
    options.setWidth(120);
    options.setSplitLines(false);
    StringWriter text = new StringWriter();
    new Yaml(options).serialize(node(value), text);
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
    Tag tag =
        switch (scalar.type()) {
          case NULL -> Tag.NULL;
          case BOOLEAN -> Tag.BOOL;
          default -> scalar.spelling().matches("-?[0-9]+") ? Tag.INT : Tag.FLOAT;
        };
    return new ScalarNode(tag, scalar.spelling(), null, null, ScalarStyle.PLAIN);
  }

  private static ScalarNode text(String text) {
    ScalarStyle style =
        text.contains("\n") && text.chars().noneMatch(c -> c == '\r' || c == '\t')
            ? ScalarStyle.LITERAL
            : AMBIGUOUS.matcher(text).matches() ? ScalarStyle.SINGLE_QUOTED : ScalarStyle.PLAIN;
    return new ScalarNode(Tag.STR, text, null, null, style);
  }
}
