package dev.sluice.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnifiedDiffTest {
  private static final Pattern HUNK = Pattern.compile("@@ -(\\d+),(\\d+) \\+(\\d+),(\\d+) @@\n");

  @Test
  void showsThreeLinesAroundAChangeAndTheMissingNewlineAtTheEnd() {
    String diff = UnifiedDiff.of("/dir/a.yaml", "1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5a\n6");

    assertThat(diff)
        .isEqualTo(
            """
            --- a/dir/a.yaml
            +++ b/dir/a.yaml
            @@ -2,5 +2,5 @@
             2
             3
             4
            -5
            +5a
             6
            \\ No newline at end of file
            """);
  }

  @Test
  void saysNothingOfEqualTexts() {
    assertThat(UnifiedDiff.of("a", "x\n", "x\n")).isEmpty();
  }

  @Test
  void showsTextsThatHaveLittleInCommonWithinBounds() {
    String old = lines(0, 3 * UnifiedDiff.MOST_CHANGES);
    String now = lines(1_000_000, 3 * UnifiedDiff.MOST_CHANGES);

    assertThat(patched("same\n" + old, UnifiedDiff.of("a", "same\n" + old, "same\n" + now)))
        .isEqualTo("same\n" + now);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void givesTheNewTextWhenAppliedToTheOld(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      String old = text(random);
      String now = text(random);

      assertThat(patched(old, UnifiedDiff.of("a", old, now))).isEqualTo(now);
    }
  }

  private static String text(Random random) {
    String text =
        IntStream.range(0, random.nextInt(30))
            .mapToObj(_ -> random.nextInt(4) + (random.nextInt(9) == 0 ? "\r\n" : "\n"))
            .collect(Collectors.joining());
    return random.nextInt(4) == 0 ? text.stripTrailing() : text;
  }

  private static String lines(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> i + "\n")
        .collect(Collectors.joining());
  }

  /** Applies a diff as the format is defined, and insists on every line of context. */
  static String patched(String text, String diff) {
    if (diff.isEmpty()) {
      return text;
    }
    List<String> old = split(text);
    List<String> lines = split(diff.replace("\n\\ No newline at end of file\n", "\0\n"));
    List<String> result = new ArrayList<>();
    int at = 0;
    for (String line : lines.subList(2, lines.size())) {
      Matcher hunk = HUNK.matcher(line);
      if (hunk.matches()) {
        int start = Integer.parseInt(hunk.group(1)) - (hunk.group(2).equals("0") ? 0 : 1);
        result.addAll(old.subList(at, start));
        at = start;
        int nowStart = Integer.parseInt(hunk.group(3)) - (hunk.group(4).equals("0") ? 0 : 1);
        assertThat(result).hasSize(nowStart);
        continue;
      }
      String content = line.substring(1).replace("\0\n", "");
      if (line.charAt(0) != '+') {
        assertThat(old.get(at++)).isEqualTo(content);
      }
      if (line.charAt(0) != '-') {
        result.add(content);
      }
    }
    result.addAll(old.subList(at, old.size()));
    return String.join("", result);
  }

  private static List<String> split(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\n)"));
  }
}
