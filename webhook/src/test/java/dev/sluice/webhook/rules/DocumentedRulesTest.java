package dev.sluice.webhook.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that lists the rules, held against the tests that hold the rules. */
class DocumentedRulesTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "validation.md");
  private static final Path DIFFERENCES = PAGE.resolveSibling("differences.md");
  private static final List<Path> TESTS =
      List.of(
          Path.of("src", "test", "java"),
          Path.of("..", "src", "rules", "src", "test", "java"),
          Path.of("..", "src", "jobs", "src", "test", "java"));
  private static final Pattern ID =
      Pattern.compile("\\b(CQ|CQU|CQD|CO|RF|RFD|WL|WLU|WLD|TO|AG|OPP)-(\\d\\d)\\b");
  private static final Pattern RANGE =
      Pattern.compile("\\b([A-Z]+)-(\\d\\d) to ([A-Z]+)-(\\d\\d)\\b");

  /** The names of methods have no hyphens: {@code opp60WarnsOf...}. */
  private static final Pattern METHOD = Pattern.compile("(?:\\b|_)opp(\\d\\d)|Opp(\\d\\d)");

  private static final List<String> VERDICTS = List.of("refused", "warning", "accepted");

  @Test
  void eachRuleOnThePageIsHeldByATest() throws IOException {
    assertThat(ids(tests())).containsAll(ids(page()));
  }

  @Test
  void eachDifferenceFromKueueThatHasAnIdIsHeldByATest() throws IOException {
    assertThat(ids(tests())).containsAll(ids(Files.readString(DIFFERENCES, UTF_8)));
  }

  @Test
  void eachRuleThatATestHoldsIsOnThePage() throws IOException {
    Set<String> core = ids(tests());
    core.removeIf(id -> id.startsWith("OPP-5") || id.startsWith("OPP-6") || id.startsWith("OPP-7"));

    assertThat(ids(page())).containsAll(core);
  }

  @Test
  void eachRowSaysWhatTheVerdictIs() throws IOException {
    boolean verdicts = false;
    for (String line : page().lines().toList()) {
      verdicts = line.endsWith("| Verdict |") || (verdicts && line.startsWith("|"));
      if (verdicts && !line.endsWith("| Verdict |") && !line.startsWith("|---")) {
        String[] cells = line.split("\\|", -1);
        assertThat(VERDICTS).as(line).anyMatch(cells[cells.length - 2].strip()::startsWith);
      }
    }
  }

  private static String page() throws IOException {
    return Files.readString(PAGE, UTF_8);
  }

  private static String tests() throws IOException {
    var text = new StringBuilder();
    for (Path root : TESTS) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(it -> it.toString().endsWith("Test.java")).toList()) {
          if (!file.endsWith("DocumentedRulesTest.java")) {
            text.append(Files.readString(file, UTF_8));
          }
        }
      }
    }
    return text.toString();
  }

  /** The ids in a text; one that names the first and the last of several means all between. */
  private static Set<String> ids(String text) {
    Set<String> ids = new TreeSet<>();
    Matcher matcher = ID.matcher(text);
    while (matcher.find()) {
      ids.add(matcher.group());
    }
    Matcher range = RANGE.matcher(text);
    while (range.find()) {
      int last = Integer.parseInt(range.group(4));
      for (int i = Integer.parseInt(range.group(2)); i <= last; i++) {
        String id = "%s-%02d".formatted(range.group(1), i);
        if (ID.matcher(id).matches()) {
          ids.add(id);
        }
      }
    }
    Matcher method = METHOD.matcher(text);
    while (method.find()) {
      ids.add("OPP-" + (method.group(1) == null ? method.group(2) : method.group(1)));
    }
    return ids;
  }
}
