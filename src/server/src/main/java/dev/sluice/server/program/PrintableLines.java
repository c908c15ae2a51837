package dev.sluice.server.program;

import dev.sluice.json.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Text for people that may quote a server or a file, as it may be written to a terminal: printable
 * characters only, so that no value can move the cursor, colour the screen or turn its direction.
 * Values of log lines pass the same {@link Excerpt}.
 */
public final class PrintableLines {
  /** Characters of a line; the rest of it is left out. */
  public static final int CHARACTERS = 4_000;

  /** The first lines of a text; a last line counts the omitted ones. */
  public static final int LINES = 500;

  private static final String INDENT = "  ";

  private PrintableLines() {}

  /** The text; every line but the first is indented, so that none looks like a message of ours. */
  public static String of(@Nullable String text) {
    List<String> lines = String.valueOf(text).lines().toList();
    StringBuilder printable = new StringBuilder();
    for (String line : lines.subList(0, Math.min(LINES, lines.size()))) {
      if (!printable.isEmpty()) {
        printable.append(System.lineSeparator()).append(line.startsWith(INDENT) ? "" : INDENT);
      }
      printable.append(Excerpt.of(line, CHARACTERS));
    }
    if (lines.size() > LINES) {
      printable
          .append(System.lineSeparator())
          .append(INDENT)
          .append("(and %d more lines)".formatted(lines.size() - LINES));
    }
    return printable.toString();
  }
}
