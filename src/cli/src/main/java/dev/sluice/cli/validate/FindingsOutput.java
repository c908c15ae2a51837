package dev.sluice.cli.validate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import java.io.PrintWriter;
import java.util.List;

/** Writes findings. */
final class FindingsOutput {
  private final PrintWriter out;

  /** How findings are written. */
  enum Format {
    TEXT,
    YAML,
    JSON
  }

  FindingsOutput(PrintWriter out) {
    this.out = out;
  }

  void print(List<Finding> findings, Format format) {
    switch (format) {
      case TEXT -> findings.forEach(finding -> out.println(finding.text()));
      case YAML -> out.print(YamlWriter.write(tree(findings)));
      case JSON -> out.println(json(tree(findings)));
    }
    out.flush();
  }

  private static ArrayNode tree(List<Finding> findings) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Finding finding : findings) {
      ObjectNode node = list.addObject();
      node.put("severity", finding.refuses() ? "error" : "warning");
      node.put("place", finding.place());
      node.put("object", finding.object());
      node.put("field", finding.field());
      node.put("type", finding.type());
      node.put("message", finding.message());
    }
    return list;
  }

  private static String json(ArrayNode tree) {
    try {
      return new JsonMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
