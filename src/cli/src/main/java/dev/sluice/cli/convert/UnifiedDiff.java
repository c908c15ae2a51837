package dev.sluice.cli.convert;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.DiffAlgorithmListener;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The difference of two texts in the format that {@code patch} and {@code git apply} read.
 *
 * <p>Where more than {@link #MOST_CHANGES} lines differ, everything between the first and the last
 * of them is shown as changed, so that time and memory are bounded.
 */
final class UnifiedDiff {
  static final int MOST_CHANGES = 1_000;
  private static final int CONTEXT = 3;

  /** Lines at the beginning of a difference that name the texts. */
  private static final int NAMES = 2;

  private static final String NO_NEWLINE = "\n\\ No newline at end of file\n";

  private UnifiedDiff() {}

  /** The difference, empty if there is none. */
  static String of(String name, String old, String now) {
    List<String> before = lines(old);
    List<String> after = lines(now);
    String path = name.replaceFirst("^/+", "");
    List<String> diff =
        UnifiedDiffUtils.generateUnifiedDiff(
            "a/" + path, "b/" + path, before, compare(before, after), CONTEXT);
    return IntStream.range(0, diff.size())
        .mapToObj(i -> i < NAMES ? diff.get(i) + "\n" : ended(diff.get(i)))
        .collect(Collectors.joining());
  }

  /** The lines with their line ends. */
  private static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\n)"));
  }

  /** The library ends no header, and counts the lines of an empty text from 1. */
  private static String ended(String line) {
    if (line.startsWith("@@ ")) {
      return line.replace(" -1,0 ", " -0,0 ").replace(" +1,0 ", " +0,0 ") + "\n";
    }
    return line.endsWith("\n") ? line : line + NO_NEWLINE;
  }

  private static Patch<String> compare(List<String> before, List<String> after) {
    try {
      return DiffUtils.diff(before, after, new Bound());
    } catch (TooDifferent e) {
      return allBetweenEnds(before, after);
    }
  }

  private static Patch<String> allBetweenEnds(List<String> before, List<String> after) {
    int shared = Math.min(before.size(), after.size());
    int start = 0;
    while (start < shared && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shared - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    Patch<String> patch = new Patch<>();
    patch.addDelta(
        new ChangeDelta<>(
            new Chunk<>(start, before.subList(start, before.size() - end)),
            new Chunk<>(start, after.subList(start, after.size() - end))));
    return patch;
  }

  /** Gives up the search for the shortest difference: each step tries one change more. */
  private static final class Bound implements DiffAlgorithmListener {
    private int steps;

    @Override
    public void diffStart() {
      steps = 0;
    }

    @Override
    public void diffStep(int value, int max) {
      if (++steps > MOST_CHANGES) {
        throw new TooDifferent();
      }
    }

    @Override
    public void diffEnd() {
      // nothing is open
    }
  }

  private static final class TooDifferent extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    TooDifferent() {
      super(null, null, false, false);
    }
  }
}
