package dev.sluice.api.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.ConfigurationRows.Row;
import dev.sluice.api.configuration.ConfigurationRows.Use;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The tables of fields on the page are made of what the readers know, and of one table of words.
 */
class ConfigurationReferenceTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "reference", "configuration.md");
  private static final String END = "<!-- end -->\n";
  private static final Set<String> OF_THE_DOCUMENT = Set.of("apiVersion", "kind", "metadata");

  /** The older name of a field, which cannot be set beside it. */
  private static final String OLDER_NAME = "multiKueue.clusterProfile.credentialsProviders";

  @Test
  void thePageHasTheFieldsOfTheConfigurationWithTheDefaultsOfTheReader() throws Exception {
    comparePage("configuration", ConfigurationRows.configuration(), readConfiguration());
  }

  @Test
  void thePageHasTheFieldsOfTheExtensionsWithTheDefaultsOfTheReader() throws Exception {
    comparePage("extensions", ConfigurationRows.extensions(), readExtensions());
  }

  private static void comparePage(String name, List<Row> rows, Problems known) throws Exception {
    String page = Files.readString(PAGE);
    String marker = "<!-- begin: " + name + ", generated from the readers -->\n";
    int begin = page.indexOf(marker) + marker.length();
    int end = page.indexOf(END, begin);
    String table = table(rows, known.known());
    if (Boolean.getBoolean("sluice.docs.write")) {
      page = page.substring(0, begin) + table + page.substring(end);
      Files.writeString(PAGE, page);
      end = page.indexOf(END, begin);
    }

    assertThat(page.substring(begin, end))
        .as("%s; CONTRIBUTING.md has the command that writes it", PAGE)
        .isEqualTo(table);
  }

  private static String table(List<Row> rows, Map<String, Object> defaults) {
    return rows.stream()
        .map(
            row ->
                "| `%s` | %s | %s | %s | %s |%n"
                    .formatted(
                        row.path(),
                        row.byDefault().orElseGet(() -> shown(defaults.get(row.path()))),
                        row.use().name().toLowerCase(Locale.ROOT),
                        row.effect(),
                        Row.SINCE))
        .collect(
            Collectors.joining(
                "", "| field | default | use | effect | since |\n|---|---|---|---|---|\n", ""));
  }

  private static String shown(@Nullable Object byDefault) {
    String text =
        switch (byDefault) {
          case Duration time -> time.toString().substring(2).toLowerCase(Locale.ROOT);
          case Double number when number == Math.rint(number) -> String.valueOf(number.longValue());
          case null, default -> String.valueOf(byDefault);
        };
    return "`" + text + "`";
  }

  @Test
  void eachFieldOfTheConfigurationHasARowAndEachRowAField() {
    compareFields(ConfigurationRows.configuration(), readConfiguration());
  }

  @Test
  void eachFieldOfTheExtensionsHasARowAndEachRowAField() {
    compareFields(ConfigurationRows.extensions(), readExtensions());
  }

  private static void compareFields(List<Row> rows, Problems known) {
    Set<String> fields = new TreeSet<>(known.known().keySet());
    fields.removeAll(OF_THE_DOCUMENT);
    fields.remove(OLDER_NAME);

    assertThat(rows.stream().map(Row::path)).doesNotHaveDuplicates().isSubsetOf(fields);
    assertThat(fields)
        .allMatch(
            field -> rows.stream().anyMatch(it -> it.covers(field) || it.path().startsWith(field)));
    for (Row row : rows) {
      assertThat(row.byDefault().isPresent() || !"".equals(known.known().get(row.path())))
          .as("the default of %s", row.path())
          .isTrue();
    }
  }

  @Test
  void aWarningIsLoggedForEachFieldThatHasNoEffectAndForNoOther() {
    Problems found = readConfiguration();
    Set<String> warned =
        found.warnings().stream()
            .map(it -> it.path().replaceAll("\\[\\d+]", "[]"))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(found.errors()).isEmpty();
    assertThat(warned)
        .isEqualTo(
            ConfigurationRows.configuration().stream()
                .filter(it -> it.use() == Use.WARNED)
                .map(Row::path)
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(readExtensions().warnings()).isEmpty();
    assertThat(readExtensions().errors()).isEmpty();
  }

  private static Problems readConfiguration() {
    Problems problems = new Problems(0);
    ConfigurationReader.in("sluice-system")
        .configuration(document(ConfigurationRows.configuration()), problems);
    return problems;
  }

  private static Problems readExtensions() {
    Problems problems = new Problems(0);
    ObjectNode document = (ObjectNode) Documents.extensions("");
    ConfigurationRows.extensions()
        .forEach(row -> set(document, row.path(), Documents.json(row.example())));
    JobManagement jobs = Configuration.defaults("sluice-system").jobs();
    ExtensionsReader.read(Fields.of(document, problems, new HashSet<>()), jobs);
    return problems;
  }

  /** A document with each of the fields, except for one of two that exclude each other. */
  private static ObjectNode document(List<Row> rows) {
    ObjectNode document = (ObjectNode) Documents.v1beta2("");
    rows.stream()
        .filter(it -> !it.path().endsWith(".sourceAnnotationKey"))
        .filter(it -> !it.path().contains(".sources[].capacity."))
        .forEach(row -> set(document, row.path(), Documents.json(row.example())));
    return document;
  }

  private static void set(ObjectNode document, String path, JsonNode value) {
    List<String> names = new ArrayList<>(List.of(path.split("\\.")));
    String last = names.removeLast();
    ObjectNode at = document;
    for (String name : names) {
      at =
          name.endsWith("[]")
              ? firstItem(at, name.substring(0, name.length() - 2))
              : at.withObjectProperty(name);
    }
    at.set(last, value);
  }

  private static ObjectNode firstItem(ObjectNode object, String name) {
    ArrayNode items = object.withArrayProperty(name);
    return items.isEmpty() ? items.addObject() : (ObjectNode) items.get(0);
  }
}
