package dev.sluice.cli.manifest;

import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonOutput;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Prints documents one after the other, so that the whole can be read again as a stream. */
public final class ManifestPrinter {
  private final PrintWriter out;
  private boolean afterYaml;

  /** A printer to this writer. */
  public ManifestPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints one document. */
  public void print(Json value, Manifest.Format format) {
    switch (format) {
      case YAML -> {
        out.print(afterYaml ? "---\n" : "");
        out.print(YamlWriter.write(value));
        afterYaml = true;
      }
      case JSON -> {
        JsonOutput json = new JsonOutput();
        value.writeTo(json);
        out.print(afterYaml ? "---\n" : "");
        out.println(new String(json.toByteArray(), StandardCharsets.UTF_8));
      }
    }
  }

  /** Sends what was printed on its way. */
  public void flush() {
    out.flush();
  }
}
