package dev.sluice.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown that is readable on a terminal as it stands; numbers to the right. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** An empty table with these heads. */
  public Table(List<String> heads) {
    rows.add(heads);
  }

  /** Adds a row. */
  public void add(List<String> cells) {
    rows.add(cells);
  }

  /** The whole table. */
  public String text() {
    int[] widths =
        IntStream.range(0, rows.getFirst().size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append(line(rows.get(i), widths));
      if (i == 0) {
        text.append(rule(widths));
      }
    }
    return text.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(column -> padded(cells.get(column), widths[column]))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static String rule(int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(column -> "-".repeat(widths[column] + 1) + ":")
        .collect(Collectors.joining("|", "|", "|\n"));
  }

  private static String padded(String cell, int width) {
    return " ".repeat(width - cell.length()) + cell;
  }
}
