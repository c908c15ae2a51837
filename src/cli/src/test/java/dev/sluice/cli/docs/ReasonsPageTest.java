package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.quota.inventory.Inactivity;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of reasons has a row for each reason that the program can write, and no other row. */
class ReasonsPageTest {
  private static final Path PAGE = Path.of("../../docs/reference/reasons.md");
  private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z]+)`");

  /** A type of condition that is a reason, too, and a word between two reasons. */
  private static final String OF_A_CONDITION = "Preempted";

  private static Set<String> onThePage() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();
    Set<String> names = new TreeSet<>();
    for (String row : rows) {
      String first = row.substring(0, row.indexOf('|', 1));
      NAME.matcher(first).results().map(MatchResult::group).forEach(names::add);
    }
    names.remove("`" + OF_A_CONDITION + "`");
    return names;
  }

  private static Stream<String> constants(Class<?> of) {
    return Arrays.stream(of.getFields()).map(ReasonsPageTest::value);
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyReasonHasARowAndEveryRowAReason() throws IOException {
    Set<String> written = new TreeSet<>();
    constants(Reasons.class).forEach(written::add);
    constants(EventReasons.class).forEach(written::add);
    Arrays.stream(PendingReason.values()).map(PendingReason::text).forEach(written::add);
    Arrays.stream(Inactivity.Reason.values()).map(Inactivity.Reason::text).forEach(written::add);
    written.remove(Reasons.DUE_TO);

    assertThat(onThePage())
        .isEqualTo(new TreeSet<>(written.stream().map(it -> "`" + it + "`").toList()));
  }
}
