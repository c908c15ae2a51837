package dev.sluice.json.yaml;

import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The text of a YAML file, in which lines of fields are looked up. Its documents are read again for
 * that, one at a time: few are asked for, and the nodes of all would take ten times the room.
 */
final class YamlText {
  private final String text;
  private int points;
  private int chars;

  YamlText(String text) {
    this.text = text;
  }

  /**
   * Finds lines in the document with this root. Documents must be named in the order in which they
   * stand in the text.
   */
  Manifest.FieldLines linesOf(Node root) {
    int start = text.lastIndexOf('\n', charAt(root.getStartMark().getIndex()) - 1) + 1;
    int end = charAt(root.getEndMark().getIndex());
    int before = root.getStartMark().getLine();
    return path -> line(text.substring(start, end), before + 1, path);
  }

  private static OptionalInt line(String document, int first, String path) {
    try {
      return OptionalInt.of(first + lineIn(document, path));
    } catch (YAMLException _) {
      return OptionalInt.empty(); // it needs a directive that stands before it
    }
  }

  /** The marks of nodes count code points. */
  private int charAt(int point) {
    chars = text.offsetByCodePoints(chars, point - points);
    points = point;
    return chars;
  }

  /** The line of a field, or of the nearest around it, in a document; from 0. */
  private static int lineIn(String document, String path) {
    Node at = new Yaml(YamlReader.options()).compose(new StringReader(document));
    FieldPath way = new FieldPath(path);
    int line = line(at);
    while (at != null) {
      NodeTuple member = at instanceof MappingNode mapping ? member(mapping, way) : null;
      at = member != null ? member.getValueNode() : item(at, way);
      if (at != null) {
        line = line(member != null ? member.getKeyNode() : at);
      }
    }
    return line;
  }

  private static int line(Node node) {
    return node.getStartMark().getLine();
  }

  private static @Nullable NodeTuple member(MappingNode mapping, FieldPath way) {
    Map<String, NodeTuple> members = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        members.put(key.getValue(), tuple);
      }
    }
    String key = way.nextKey(members.keySet());
    return key == null ? null : members.get(key);
  }

  private static @Nullable Node item(Node list, FieldPath way) {
    if (!(list instanceof SequenceNode sequence)) {
      return null;
    }
    int index = way.nextIndex();
    return index >= 0 && index < sequence.getValue().size() ? sequence.getValue().get(index) : null;
  }
}
