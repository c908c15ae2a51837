package dev.sluice.cli.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The difference of two texts in the format that {@code patch} and {@code git apply} read.
 *
 * <p>Lines are matched with the greedy algorithm of Myers ("An O(ND) Difference Algorithm and Its
 * Variations", 1986) between what both texts have in common at their ends. Where more than {@link
 * #MOST_CHANGES} lines differ, all between is shown as changed, so that time and memory are
 * bounded.
 */
final class UnifiedDiff {
  static final int MOST_CHANGES = 2_000;
  private static final int CONTEXT = 3;

  private final List<String> old;
  private final List<String> now;
  private final List<Change> changes = new ArrayList<>();

  /** Lines {@code [oldStart, oldEnd)} became lines {@code [nowStart, nowEnd)}. */
  private record Change(int oldStart, int oldEnd, int nowStart, int nowEnd) {}

  private UnifiedDiff(String old, String now) {
    this.old = lines(old);
    this.now = lines(now);
  }

  /** The difference, empty if there is none. */
  static String of(String name, String old, String now) {
    UnifiedDiff diff = new UnifiedDiff(old, now);
    diff.compare();
    return diff.changes.isEmpty() ? "" : diff.print(name);
  }

  /** The lines with their line ends. */
  private static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\n)"));
  }

  private void compare() {
    int start = 0;
    int most = Math.min(old.size(), now.size());
    while (start < most && old.get(start).equals(now.get(start))) {
      start++;
    }
    int end = 0;
    while (end < most - start
        && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
      end++;
    }
    compare(start, old.size() - end, now.size() - end);
  }

  /** Both texts are the same before {@code start}, and behind {@code oldEnd} and {@code nowEnd}. */
  private void compare(int start, int oldEnd, int nowEnd) {
    int n = oldEnd - start;
    int m = nowEnd - start;
    int most = Math.min(n + m, MOST_CHANGES);
    int[] furthest = new int[2 * most + 3];
    List<int[]> trace = new ArrayList<>();
    for (int d = 0; d <= most; d++) {
      trace.add(Arrays.copyOfRange(furthest, most + 1 - d - 1, most + 1 + d + 2));
      for (int k = -d; k <= d; k += 2) {
        boolean down = k == -d || (k != d && furthest[most + k] < furthest[most + k + 2]);
        int x = down ? furthest[most + k + 2] : furthest[most + k] + 1;
        int y = x - k;
        while (x < n && y < m && y >= 0 && old.get(start + x).equals(now.get(start + y))) {
          x++;
          y++;
        }
        furthest[most + 1 + k] = x;
        if (x >= n && y >= m) {
          walkBack(trace, start, n, m);
          return;
        }
      }
    }
    changes.add(new Change(start, oldEnd, start, nowEnd));
  }

  /** Goes the found way back from its end and collects the steps that are no matches. */
  private void walkBack(List<int[]> trace, int start, int n, int m) {
    int x = n;
    int y = m;
    for (int d = trace.size() - 1; d > 0; d--) {
      int[] furthest = trace.get(d); // of step d - 1; diagonal k stands at index k + d + 1
      int k = x - y;
      boolean down = k == -d || (k != d && furthest[k + d] < furthest[k + d + 2]);
      int fromK = down ? k + 1 : k - 1;
      int fromX = furthest[fromK + d + 1];
      int fromY = fromX - fromK;
      if (down) {
        addBefore(new Change(start + fromX, start + fromX, start + fromY, start + fromY + 1));
      } else {
        addBefore(new Change(start + fromX, start + fromX + 1, start + fromY, start + fromY));
      }
      x = fromX;
      y = fromY;
    }
  }

  private void addBefore(Change change) {
    Change next = changes.isEmpty() ? null : changes.getFirst();
    if (next != null && next.oldStart() == change.oldEnd() && next.nowStart() == change.nowEnd()) {
      changes.set(
          0, new Change(change.oldStart(), next.oldEnd(), change.nowStart(), next.nowEnd()));
    } else {
      changes.addFirst(change);
    }
  }

  private String print(String name) {
    String path = name.replaceFirst("^/+", "");
    StringBuilder out = new StringBuilder();
    out.append("--- a/").append(path).append("\n+++ b/").append(path).append('\n');
    int i = 0;
    while (i < changes.size()) {
      int last = i;
      while (last + 1 < changes.size()
          && changes.get(last + 1).oldStart() - changes.get(last).oldEnd() <= 2 * CONTEXT) {
        last++;
      }
      printHunk(changes.subList(i, last + 1), out);
      i = last + 1;
    }
    return out.toString();
  }

  private void printHunk(List<Change> hunk, StringBuilder out) {
    Change first = hunk.getFirst();
    Change last = hunk.getLast();
    int before = Math.min(CONTEXT, first.oldStart());
    int after = Math.min(CONTEXT, old.size() - last.oldEnd());
    out.append("@@ -")
        .append(range(first.oldStart() - before, last.oldEnd() + after))
        .append(" +")
        .append(range(first.nowStart() - before, last.nowEnd() + after))
        .append(" @@\n");
    int at = first.oldStart() - before;
    for (Change change : hunk) {
      print(' ', old.subList(at, change.oldStart()), out);
      print('-', old.subList(change.oldStart(), change.oldEnd()), out);
      print('+', now.subList(change.nowStart(), change.nowEnd()), out);
      at = change.oldEnd();
    }
    print(' ', old.subList(at, last.oldEnd() + after), out);
  }

  /** A range of lines counted from 1; an empty one is named by the line before it. */
  private static String range(int start, int end) {
    return (end > start ? start + 1 : start) + "," + (end - start);
  }

  private static void print(char sign, List<String> lines, StringBuilder out) {
    for (String line : lines) {
      out.append(sign).append(line);
      if (!line.endsWith("\n")) {
        out.append("\n\\ No newline at end of file\n");
      }
    }
  }
}
