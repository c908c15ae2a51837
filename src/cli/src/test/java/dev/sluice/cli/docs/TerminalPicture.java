package dev.sluice.cli.docs;

import java.util.ArrayList;
import java.util.List;

/** A terminal with a command and what it printed, as SVG. */
final class TerminalPicture {
  private static final int COLUMNS = 100;
  private static final double CHARACTER = 7.8; // of a monospaced font of 13 pixels
  private static final int LINE = 18;
  private static final int MARGIN = 16;
  private static final String FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";

  private TerminalPicture() {}

  /** The picture; lines that are too long are broken between words. */
  static String of(String command, String output) {
    List<String> lines = new ArrayList<>();
    output.lines().forEach(it -> breakUp(it, lines));
    int height = 2 * MARGIN + LINE * (lines.size() + 1);
    int width = (int) Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img" aria-label="%3$s">
        <rect width="100%%" height="100%%" rx="8" fill="#10151c"/>
        <g font-family="%4$s" font-size="13" fill="#d5dbe3" xml:space="preserve">
        <text x="%5$d" y="%6$d" fill="#7ee08a">$ %3$s</text>
        """
            .formatted(width, height, escaped(command), FONT, MARGIN, MARGIN + 12));
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        svg.append(
            "<text x=\"%d\" y=\"%d\">%s</text>\n"
                .formatted(MARGIN, MARGIN + 12 + LINE * (i + 1), escaped(lines.get(i))));
      }
    }
    return svg.append("</g>\n</svg>\n").toString();
  }

  private static void breakUp(String line, List<String> lines) {
    String rest = line;
    while (rest.length() > COLUMNS) {
      int space = rest.lastIndexOf(' ', COLUMNS);
      int to = rest.substring(0, Math.max(space, 0)).isBlank() ? COLUMNS : space;
      lines.add(rest.substring(0, to));
      rest = "    " + rest.substring(to).stripLeading();
    }
    lines.add(rest);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
