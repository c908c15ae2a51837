package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page about metrics names each metric that the code registers at Micrometer, and no others of
 * ours. Micrometer adds a unit or {@code _total} to some names, so beginnings are compared. A test
 * of the scheduler makes the table of those that it defines by itself.
 */
class MetricNamesTest {
  private static final Pattern REGISTERED = Pattern.compile("\"(sluice(?:[._][a-z]+)+)\"");
  private static final Pattern DOCUMENTED = Pattern.compile("`(sluice_[a-z_]+)[`{]");

  @Test
  void eachRegisteredMetricIsOnThePage() throws IOException {
    Set<String> page = documented();

    assertThat(registered()).allMatch(name -> page.stream().anyMatch(it -> it.startsWith(name)));
  }

  @Test
  void eachMetricOnThePageIsRegistered() throws IOException {
    Set<String> registered = registered();

    assertThat(documented()).allMatch(it -> registered.stream().anyMatch(it::startsWith));
  }

  private static Set<String> documented() {
    Page page = Page.read(Page.ROOT.resolve("docs/reference/metrics.md"));
    return DOCUMENTED
        .matcher(String.join("\n", page.lines()))
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> registered() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      for (Path file : files.filter(MetricNamesTest::isSource).toList()) {
        String text = Files.readString(file);
        if (text.contains("MeterRegistry") || text.contains("MetricDefinition")) {
          REGISTERED
              .matcher(text)
              .results()
              .forEach(it -> names.add(it.group(1).replace('.', '_')));
        }
      }
    }
    return names;
  }

  private static boolean isSource(Path file) {
    String path = Page.ROOT.relativize(file).toString();
    return path.endsWith(".java")
        && path.contains("src/main/java/")
        && !path.startsWith("src/bench/");
  }
}
