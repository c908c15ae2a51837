package dev.sluice.scheduler.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.scheduler.metrics.WorkloadMetricDefinitions.Pair;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the scheduler's metrics in the documentation is made of their definitions. */
class MetricsReferenceTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "reference", "metrics.md");
  private static final String BEGIN = "<!-- begin: generated from the definitions -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void thePageHasEachMetricOfTheSchedulerWithItsLabels() throws Exception {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    String table = table();
    if (Boolean.getBoolean("sluice.docs.write")) {
      page = page.substring(0, begin) + table + page.substring(end);
      Files.writeString(PAGE, page);
      end = page.indexOf(END);
    }

    assertThat(page.substring(begin, end))
        .as("%s; CONTRIBUTING.md has the command that writes it", PAGE)
        .isEqualTo(table);
  }

  private static String table() throws Exception {
    return definitions().stream()
        .sorted(Comparator.comparing(MetricDefinition::name))
        .map(MetricsReferenceTest::row)
        .collect(
            Collectors.joining(
                "", "| metric | type | labels | meaning |\n|---|---|---|---|\n", ""));
  }

  private static String row(MetricDefinition metric) {
    return "| `%s` | %s | %s | %s |%n"
        .formatted(
            metric.name(),
            type(metric),
            metric.labels().stream().map(it -> "`" + it + "`").collect(Collectors.joining(", ")),
            metric.help().replace("|", "\\|"));
  }

  private static String type(MetricDefinition metric) {
    if (!metric.bounds().isEmpty()) {
      return "histogram";
    }
    return metric.name().endsWith("_total") ? "counter" : "gauge";
  }

  private static List<MetricDefinition> definitions() throws Exception {
    List<MetricDefinition> found = new ArrayList<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          switch (field.get(null)) {
            case MetricDefinition one -> found.add(one);
            case Pair pair -> found.addAll(List.of(pair.clusterQueue(), pair.localQueue()));
            case MetricDefinition[] many -> found.addAll(Arrays.asList(many));
            case null, default -> {}
          }
        }
      }
    }
    return found;
  }

  private static List<Class<?>> classes()
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path folder =
        Path.of(MetricDefinition.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve(MetricDefinition.class.getPackageName().replace('.', '/'));
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.startsWith("package-info")) {
          classes.add(
              Class.forName(
                  MetricDefinition.class.getPackageName()
                      + "."
                      + name.substring(0, name.length() - ".class".length())));
        }
      }
    }
    return classes;
  }
}
