package dev.sluice.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The flag that says how a report is written. */
@SuppressWarnings("NullAway.Init") // set by picocli before use
public final class ReportFlags {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, yaml or json (default: ${DEFAULT-VALUE}).")
  private ReportFormat format;

  /** Prints a report that is there as text and as a tree. */
  public void print(PrintWriter out, String text, JsonNode tree) {
    format.print(out, text, tree);
  }
}
