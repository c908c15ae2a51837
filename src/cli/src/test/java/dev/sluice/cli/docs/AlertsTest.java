package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.manifests.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Alerts and panels name only metrics and labels that are on the page about metrics, which other
 * tests hold against the code; and each alert has a section that says what to do.
 */
class AlertsTest {
  private static final Path FOLDER = Page.ROOT.resolve("manifests/monitoring");
  private static final Pattern NAME = Pattern.compile("\\b(?:kueue|sluice|aggregator)_[a-z0-9_]+");
  private static final Pattern SELECTOR = Pattern.compile("(" + NAME + ")\\{([^}]*)}");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
  private static final Pattern IN_CODE = Pattern.compile("`([a-z_]+)`");

  /** Of an API server; and what Prometheus and histograms add to all. */
  private static final Map<String, Set<String>> OF_OTHERS =
      Map.of("aggregator_unavailable_apiservice", Set.of("name"));

  private static final Set<String> ADDED = Set.of("pod", "le");

  /** An expression, and where it is. */
  record Expression(String where, String text) {
    @Override
    public String toString() {
      return where;
    }
  }

  private static JsonNode rules() {
    return new Manifests().alerts().at("/groups/0/rules");
  }

  static List<Expression> expressions() throws IOException {
    List<Expression> all = new ArrayList<>();
    for (JsonNode rule : rules()) {
      all.add(new Expression(rule.path("alert").asText(), rule.path("expr").asText()));
    }
    for (String file : List.of("dashboard-queues.json", "dashboard-operations.json")) {
      JsonNode dashboard = new ObjectMapper().readTree(Files.readString(FOLDER.resolve(file)));
      for (JsonNode panel : dashboard.path("panels")) {
        for (JsonNode target : panel.path("targets")) {
          all.add(
              new Expression(
                  file + ": " + panel.path("title").asText(), target.path("expr").asText()));
        }
      }
      for (JsonNode variable : dashboard.at("/templating/list")) {
        all.add(new Expression(file + ": $", variable.path("query").asText()));
      }
    }
    return all;
  }

  /** The labels of each metric on the page. */
  private static Map<String, Set<String>> documented() {
    Map<String, Set<String>> labels = new HashMap<>(OF_OTHERS);
    Set<String> above = Set.of();
    for (String line : Page.read(Page.ROOT.resolve("docs/reference/metrics.md")).lines()) {
      String[] cells = line.split("\\|", -1);
      if (cells.length < 5 || !cells[1].contains("_")) {
        continue;
      }
      boolean generated = cells.length > 5;
      String of = generated ? cells[3] : cells[2];
      Set<String> own = of.contains("the same") ? above : codes(of);
      codes(cells[1]).forEach(name -> labels.put(name, own));
      above = own;
    }
    return labels;
  }

  private static Set<String> codes(String cell) {
    return IN_CODE.matcher(cell).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }

  private static Set<String> labelsOf(String metric) {
    Map<String, Set<String>> documented = documented();
    for (String ending : List.of("", "_bucket", "_count", "_sum")) {
      String base =
          metric.endsWith(ending) ? metric.substring(0, metric.length() - ending.length()) : metric;
      if (documented.containsKey(base)) {
        Set<String> labels = new TreeSet<>(documented.get(base));
        labels.addAll(ADDED);
        return labels;
      }
    }
    throw new AssertionError(metric + " is not on the page about metrics");
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void everyMetricIsThereWithItsLabels(Expression expression) {
    List<String> metrics =
        NAME.matcher(expression.text()).results().map(MatchResult::group).toList();
    Set<String> labels = new TreeSet<>();
    metrics.forEach(metric -> labels.addAll(labelsOf(metric)));

    SELECTOR
        .matcher(expression.text())
        .results()
        .forEach(
            it ->
                assertThat(selected(it.group(2)))
                    .as(it.group(1))
                    .isSubsetOf(labelsOf(it.group(1))));
    GROUPING
        .matcher(expression.text())
        .results()
        .filter(it -> !it.group(1).isBlank())
        .forEach(it -> assertThat(List.of(it.group(1).split(", ", -1))).isSubsetOf(labels));
  }

  private static List<String> selected(String selector) {
    List<String> names = new ArrayList<>();
    for (String part : selector.split(",", -1)) {
      names.add(part.strip().split("[=!~]", 2)[0]);
    }
    return names;
  }

  @Test
  void everyAlertHasASeverityAndASectionThatSaysWhatToDo() {
    Page page = Page.read(Page.ROOT.resolve("docs/tasks/alerts.md"));
    Map<String, String> severities = new TreeMap<>();
    for (JsonNode rule : rules()) {
      String name = rule.path("alert").asText();
      severities.put(name, rule.at("/labels/severity").asText());
      assertThat(rule.at("/annotations/runbook").asText())
          .isEqualTo("docs/tasks/alerts.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(rule.at("/annotations/summary").asText()).as(name).endsWith(".");
    }

    Map<String, String> sections = new TreeMap<>();
    for (int i = 0; i < page.lines().size() - 2; i++) {
      String next = page.lines().get(i + 2);
      if (page.lines().get(i).startsWith("## Sluice")) {
        sections.put(page.lines().get(i).substring(3), next.split("`", -1)[1]);
      }
    }
    assertThat(severities)
        .isEqualTo(sections)
        .hasSizeGreaterThan(20)
        .allSatisfy((_, severity) -> assertThat(severity).isIn("critical", "warning", "info"));
  }

  @Test
  void anInstallationThatIsMonitoredHasTheAlertsAndTheDashboards() {
    var documents = new Manifests().monitoring();

    assertThat(documents)
        .filteredOn(it -> it.path("kind").asText().equals("PrometheusRule"))
        .singleElement()
        .satisfies(it -> assertThat(it.path("spec")).isEqualTo(new Manifests().alerts()));
    assertThat(documents)
        .filteredOn(it -> it.path("kind").asText().equals("ConfigMap"))
        .extracting(it -> it.at("/metadata/name").asText())
        .containsExactly("sluice-dashboard-queues", "sluice-dashboard-operations");
  }

  /** Helm would take text in double braces for its own. */
  @ParameterizedTest
  @MethodSource("expressions")
  void nothingLooksLikeATemplateOfHelm(Expression expression) {
    assertThat(expression.text()).doesNotContain("{{");
  }
}
