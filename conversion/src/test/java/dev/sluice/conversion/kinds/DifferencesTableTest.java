package dev.sluice.conversion.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.conversion.step.Description;
import dev.sluice.conversion.step.Difference;
import dev.sluice.conversion.step.VersionStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of differences in the documentation and the steps in the program are the same. */
class DifferencesTableTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "reference", "conversion.md");
  private static final String HEADING = "## Differences, kind by kind";

  @Test
  void theDocumentedTableIsWhatTheProgramDoes() throws IOException {
    List<String> expected = Stream.of(ApiKind.values()).flatMap(this::rows).toList();

    assertThat(documented()).containsExactlyElementsOf(expected);
  }

  private Stream<String> rows(ApiKind kind) {
    return Steps.between(kind, kind.versions().getFirst(), kind.versions().getLast()).stream()
        .flatMap(step -> rows(kind, step));
  }

  private static Stream<String> rows(ApiKind kind, VersionStep step) {
    String versions = step.older() + ", " + step.newer();
    List<Description> differences =
        step.differences().stream().map(Difference::description).flatMap(Optional::stream).toList();
    return differences.isEmpty()
        ? Stream.of("| %s | %s | none | | | | |".formatted(kind, versions))
        : differences.stream().map(one -> row(kind + " | " + versions, one));
  }

  private static String row(String step, Description one) {
    return "| %s | `%s` | %s | %s | %s | %s |"
        .formatted(
            step,
            one.name(),
            one.parent().isEmpty() ? "the root" : "`" + one.parent() + "`",
            String.join(", ", one.keys().stream().map(key -> "`" + key + "`").toList()),
            one.sort(),
            one.derived() ? "with its status" : "always");
  }

  private static List<String> documented() throws IOException {
    String text = Files.readString(DOCUMENT);
    String section = text.substring(text.indexOf(HEADING));
    return Arrays.stream(section.split("\n", -1))
        .dropWhile(line -> !line.startsWith("| ---"))
        .skip(1)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }
}
