package dev.sluice.bench.peer;

import dev.sluice.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Medians of the turns of several programs, and how they relate. */
public final class PeerTable {
  private PeerTable() {}

  /**
   * Programs are A, B and so on. There is a row for each figure: the median of each program with
   * the least and the most, and for each program after A the ratio of A's median to its own.
   *
   * @param turns by program, in the order of the columns
   */
  public static String of(Map<String, List<Turn>> turns) {
    StringBuilder text = new StringBuilder();
    List<String> heads = new ArrayList<>(List.of(""));
    List<String> ratios = new ArrayList<>();
    for (String program : turns.keySet()) {
      String letter = Character.toString('A' + heads.size() - 1);
      text.append(letter).append(": ").append(program).append('\n');
      heads.add(letter);
      ratios.add("A / " + letter);
    }
    heads.addAll(ratios.subList(1, ratios.size()));
    Table table = new Table(heads);
    Set<String> names = new LinkedHashSet<>();
    turns.values().forEach(all -> all.forEach(it -> names.addAll(it.figures().keySet())));
    for (String name : names) {
      List<double[]> cells = turns.values().stream().map(it -> sorted(it, name)).toList();
      List<String> row = new ArrayList<>(List.of(name));
      cells.forEach(it -> row.add(cell(it)));
      for (int other = 1; other < cells.size(); other++) {
        row.add(ratio(cells.getFirst(), cells.get(other)));
      }
      table.add(row);
    }
    return text.append('\n').append(table.text()).toString();
  }

  private static double[] sorted(List<Turn> turns, String name) {
    return turns.stream()
        .filter(it -> it.figures().containsKey(name))
        .mapToDouble(it -> it.figures().get(name))
        .sorted()
        .toArray();
  }

  private static String cell(double[] sorted) {
    return switch (sorted.length) {
      case 0 -> "";
      case 1 -> number(sorted[0]);
      default ->
          "%s (%s-%s)"
              .formatted(
                  number(median(sorted)), number(sorted[0]), number(sorted[sorted.length - 1]));
    };
  }

  private static String ratio(double[] own, double[] other) {
    return own.length == 0 || other.length == 0 || median(other) == 0
        ? ""
        : String.format(Locale.ROOT, "%.2f", median(own) / median(other));
  }

  private static double median(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.2f" : "%,.0f", value);
  }
}
