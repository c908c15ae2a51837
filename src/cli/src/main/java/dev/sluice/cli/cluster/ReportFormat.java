package dev.sluice.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.json.yaml.YamlWriter;
import java.io.PrintWriter;

/** How a report about a cluster is written. */
public enum ReportFormat {
  /** For people. */
  TEXT,
  /** One JSON document. */
  JSON,
  /** The same as YAML. */
  YAML;

  /** Prints a report that is there as text and as a tree. */
  public void print(PrintWriter out, String text, JsonNode tree) {
    switch (this) {
      case TEXT -> out.print(text);
      case JSON -> out.println(tree.toPrettyString());
      case YAML -> out.print(YamlWriter.write(tree));
    }
    out.flush();
  }
}
