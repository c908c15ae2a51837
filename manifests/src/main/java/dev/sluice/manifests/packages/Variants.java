package dev.sluice.manifests.packages;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * One text of several: a base, and what it becomes under conditions, as lines of a Helm template. A
 * condition adds lines or takes lines away; two conditions together do what each does alone. Pure.
 */
final class Variants {
  private final List<String> base;
  private final List<Variant> variants = new ArrayList<>();

  /** One condition: lines to add before each line of the base, and which of these go. */
  private record Variant(String condition, List<List<String>> added, BitSet removed) {}

  /** Begins with the lines that hold without a condition. */
  Variants(List<String> base) {
    this.base = List.copyOf(base);
  }

  /**
   * Adds what the base becomes under a condition. Of two that add at the same place, the first to
   * be added here comes first.
   *
   * @param condition as in {@code {{ if ... }}}
   */
  void add(String condition, List<String> lines) {
    int[][] common = commonLengths(lines);
    List<List<String>> added = new ArrayList<>();
    BitSet removed = new BitSet();
    List<String> pending = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < base.size() || j < lines.size()) {
      if (i < base.size() && j < lines.size() && base.get(i).equals(lines.get(j))) {
        added.add(pending);
        pending = new ArrayList<>();
        i++;
        j++;
      } else if (j < lines.size() && (i == base.size() || common[i][j + 1] >= common[i + 1][j])) {
        pending.add(lines.get(j++));
      } else {
        added.add(pending);
        pending = new ArrayList<>();
        removed.set(i++);
      }
    }
    added.add(pending);
    variants.add(new Variant(condition, added, removed));
  }

  /** How many lines the rests from there have in common, in order. */
  private int[][] commonLengths(List<String> lines) {
    int[][] common = new int[base.size() + 1][lines.size() + 1];
    for (int i = base.size() - 1; i >= 0; i--) {
      for (int j = lines.size() - 1; j >= 0; j--) {
        common[i][j] =
            base.get(i).equals(lines.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  /** The lines of the template. */
  List<String> template() {
    List<String> template = new ArrayList<>();
    String open = "";
    for (int i = 0; i <= base.size(); i++) {
      String wanted = i < base.size() ? conditionOf(i) : "";
      boolean interrupted = addsAt(i);
      if (!open.isEmpty() && (interrupted || !wanted.equals(open))) {
        template.add("{{- end }}");
        open = "";
      }
      for (Variant variant : variants) {
        if (!variant.added().get(i).isEmpty()) {
          template.add("{{- if " + variant.condition() + " }}");
          template.addAll(variant.added().get(i));
          template.add("{{- end }}");
        }
      }
      if (i < base.size()) {
        if (!wanted.equals(open)) {
          template.add("{{- if " + wanted + " }}");
          open = wanted;
        }
        template.add(base.get(i));
      }
    }
    return template;
  }

  private boolean addsAt(int line) {
    return variants.stream().anyMatch(variant -> !variant.added().get(line).isEmpty());
  }

  /** When a line of the base is there; empty for always. */
  private String conditionOf(int line) {
    TreeSet<String> without = new TreeSet<>();
    for (Variant variant : variants) {
      if (variant.removed().get(line)) {
        without.add("(" + variant.condition() + ")");
      }
    }
    return switch (without.size()) {
      case 0 -> "";
      case 1 -> "not " + without.first();
      default -> "not (or " + String.join(" ", without) + ")";
    };
  }
}
