package dev.sluice.cli.convert;

import dev.sluice.json.Json;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.json.yaml.YamlWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Prints converted files one after the other, so that the whole can be read as one stream. */
final class ConvertedOutput {
  private static final String MARKER = "---";

  private final PrintWriter out;
  private final @Nullable Format wanted;
  private @Nullable Format last;
  private boolean lineIsOpen;

  /** An output in this format, or in that of each file. */
  ConvertedOutput(PrintWriter out, @Nullable Format wanted) {
    this.out = out;
    this.wanted = wanted;
  }

  /**
   * Prints a file: its own text if it has the requested format, otherwise its documents written
   * again. A file without documents prints nothing.
   */
  void print(ConvertedFile file) {
    if (file.values().isEmpty()) {
      return;
    }
    if (wanted == null || wanted == file.format()) {
      print(file.after(), file.format());
    } else {
      file.values().forEach(value -> print(write(value, wanted), wanted));
    }
  }

  private static String write(Json value, Format format) {
    if (format == Format.YAML) {
      return YamlWriter.write(value);
    }
    JsonOutput json = new JsonOutput();
    value.writeTo(json);
    return new String(json.toByteArray(), StandardCharsets.UTF_8) + "\n";
  }

  private void print(String text, Format format) {
    if (text.isEmpty()) {
      return;
    }
    String plain = last != null && text.startsWith("\ufeff") ? text.substring(1) : text;
    out.print(lineIsOpen ? "\n" : "");
    out.print(separator(plain, format));
    out.print(plain);
    lineIsOpen = !plain.endsWith("\n");
    last = format;
  }

  private String separator(String text, Format format) {
    if (last == null || (last == Format.JSON && format == Format.JSON)) {
      return "";
    }
    String begin = text.lines().filter(ConvertedOutput::isContent).findFirst().orElse("");
    if (begin.startsWith("%")) {
      return "...\n"; // a directive is one only behind the end of a document
    }
    return begin.startsWith(MARKER) ? "" : MARKER + "\n";
  }

  private static boolean isContent(String line) {
    return !line.isBlank() && !line.stripLeading().startsWith("#");
  }

  /** Sends what was printed on its way. */
  void flush() {
    out.flush();
  }
}
