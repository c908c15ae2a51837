package dev.sluice.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns as wide as their content; the last column is as long as it is. */
public final class Table {
  private static final int WIDEST = 48;

  private final String indent;
  private final List<List<String>> rows = new ArrayList<>();

  /** An empty table, of which each row begins with this. */
  public Table(String indent) {
    this.indent = indent;
  }

  /** Adds a row. */
  public void add(String... cells) {
    rows.add(List.of(cells));
  }

  @Override
  public String toString() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        if (widths.size() <= i) {
          widths.add(0);
        }
        widths.set(i, Math.min(WIDEST, Math.max(widths.get(i), row.get(i).length())));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        line.repeat(' ', Math.max(0, widths.get(i) - row.get(i).length()) + 2);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
