package dev.sluice.json.yaml;

import dev.sluice.json.JsonOutput;
import dev.sluice.json.MalformedJsonException;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.json.yaml.Manifest.Place;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns YAML documents into JSON as {@code kubectl} would, but keeps the spelling of numbers.
 * Anchors and merge keys are resolved; what that may amount to is bounded.
 */
final class YamlReader {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final int MAX_DEPTH = 256;

  private final JsonOutput out = new JsonOutput();

  /** Something that YAML allows and JSON does not, or that goes too far. */
  private static final class NodeProblem extends YAMLException {
    private static final long serialVersionUID = 1L;
    private final int line;

    NodeProblem(Node node, String message) {
      super(message);
      this.line = line(node);
    }
  }

  private YamlReader() {}

  static List<Manifest> read(String file, byte[] content) throws ManifestException {
    String name = file.equals("-") ? "stdin" : file;
    List<Manifest> manifests = new ArrayList<>();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      YamlText lines = new YamlText(text);
      for (Node node : new Yaml(options()).composeAll(new StringReader(text))) {
        if (node != null && !node.getTag().equals(Tag.NULL)) {
          manifests.add(manifest(file, node, lines));
        }
      }
      return manifests;
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new ManifestException(name + ":" + line + ": no YAML: " + e.getProblem());
    } catch (CharacterCodingException e) {
      throw new ManifestException(name + ": no UTF-8");
    } catch (NodeProblem e) {
      throw new ManifestException(name + ":" + e.line + ": " + e.getMessage());
    } catch (YAMLException | MalformedJsonException e) {
      throw new ManifestException(name + ": no YAML: " + e.getMessage());
    }
  }

  static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(ManifestReader.MAX_BYTES);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setAllowDuplicateKeys(false);
    return options;
  }

  private static Manifest manifest(String file, Node node, YamlText text)
      throws MalformedJsonException {
    YamlReader reader = new YamlReader();
    reader.write(node, 0);
    String json = new String(reader.out.toByteArray(), StandardCharsets.UTF_8);
    Place place = new Place(file, line(node), text.linesOf(node));
    return new Manifest(place, Format.YAML, ManifestReader.checked(json));
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private void write(Node node, int depth) {
    if (depth > MAX_DEPTH || out.length() > ManifestReader.MAX_BYTES) {
      throw new NodeProblem(node, "nested too deeply or too large once anchors are resolved");
    }
    switch (node) {
      case MappingNode mapping -> writeMapping(mapping, depth);
      case SequenceNode sequence -> writeSequence(sequence, depth);
      case ScalarNode scalar -> writeScalar(scalar);
      default -> throw new NodeProblem(node, "an anchor that is never set");
    }
  }

  private void writeMapping(MappingNode mapping, int depth) {
    Map<String, Node> members = new LinkedHashMap<>();
    collect(mapping, members, new HashSet<>(), depth);
    String separator = "{";
    for (Map.Entry<String, Node> member : members.entrySet()) {
      out.writeAscii(separator);
      out.writeText(member.getKey());
      out.writeAscii(":");
      write(member.getValue(), depth + 1);
      separator = ",";
    }
    out.writeAscii(members.isEmpty() ? "{}" : "}");
  }

  /** Collects the members; a mapping's own win over merged ones, earlier merges over later. */
  private static void collect(
      MappingNode mapping, Map<String, Node> members, Set<Node> merging, int depth) {
    if (!merging.add(mapping) || depth > MAX_DEPTH) {
      throw new NodeProblem(mapping, "a mapping that merges itself");
    }
    Set<String> own = new HashSet<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!isMerge(tuple)) {
        String key = key(tuple.getKeyNode());
        if (!own.add(key)) {
          throw new NodeProblem(
              tuple.getKeyNode(), "key \"" + key + "\" stands twice in one mapping");
        }
        members.putIfAbsent(key, tuple.getValueNode());
      }
    }
    for (NodeTuple tuple : mapping.getValue()) {
      if (isMerge(tuple)) {
        for (MappingNode merged : merged(tuple.getValueNode())) {
          collect(merged, members, merging, depth + 1);
        }
      }
    }
    merging.remove(mapping);
  }

  private static boolean isMerge(NodeTuple tuple) {
    return tuple.getKeyNode().getTag().equals(Tag.MERGE);
  }

  private static List<MappingNode> merged(Node value) {
    List<Node> nodes = value instanceof SequenceNode list ? list.getValue() : List.of(value);
    List<MappingNode> mappings = new ArrayList<>();
    for (Node node : nodes) {
      if (!(node instanceof MappingNode mapping)) {
        throw new NodeProblem(node, "a merge key needs a mapping");
      }
      mappings.add(mapping);
    }
    return mappings;
  }

  private static String key(Node key) {
    if (key instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw new NodeProblem(key, "a key that is no plain value");
  }

  private void writeSequence(SequenceNode sequence, int depth) {
    String separator = "[";
    for (Node item : sequence.getValue()) {
      out.writeAscii(separator);
      write(item, depth + 1);
      separator = ",";
    }
    out.writeAscii(sequence.getValue().isEmpty() ? "[]" : "]");
  }

  private void writeScalar(ScalarNode scalar) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      out.writeAscii("null");
    } else if (tag.equals(Tag.BOOL)) {
      out.writeAscii(isTrue(text) ? "true" : "false");
    } else if ((tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) && text.indexOf(':') < 0) {
      out.writeAscii(number(scalar, text));
    } else {
      out.writeText(text); // 1:30 is a number of base 60 in YAML 1.1, and a string in YAML 1.2
    }
  }

  private static boolean isTrue(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "y" -> true;
      default -> false;
    };
  }

  private static String number(ScalarNode scalar, String text) {
    if (JSON_NUMBER.matcher(text).matches()) {
      return text;
    }
    String plain = text.replace("_", "");
    try {
      return scalar.getTag().equals(Tag.INT) ? integer(plain) : decimal(plain);
    } catch (NumberFormatException e) {
      throw new NodeProblem(scalar, text + " is no number that JSON has");
    }
  }

  private static String integer(String text) {
    boolean negative = text.startsWith("-");
    String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    String lower = digits.toLowerCase(Locale.ROOT);
    BigInteger value =
        lower.startsWith("0x")
            ? new BigInteger(digits.substring(2), 16)
            : lower.startsWith("0b")
                ? new BigInteger(digits.substring(2), 2)
                : lower.startsWith("0o")
                    ? new BigInteger(digits.substring(2), 8)
                    : digits.length() > 1 && digits.startsWith("0")
                        ? new BigInteger(digits, 8)
                        : new BigInteger(digits);
    return (negative ? value.negate() : value).toString();
  }

  private static String decimal(String text) {
    String sign = text.startsWith("-") ? "-" : "";
    String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    String padded = digits.startsWith(".") ? "0" + digits : digits;
    String json = sign + padded.replaceFirst("\\.(?![0-9])", "");
    if (!JSON_NUMBER.matcher(json).matches()) {
      throw new NumberFormatException(text);
    }
    return json;
  }
}
