package dev.sluice.manifests.packages;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratePackagesTest {
  private static final Path MANIFESTS = Path.of("");

  @Test
  void theCommittedChartAndBaseAreUpToDate() throws IOException {
    for (Map.Entry<String, String> file : files().entrySet()) {
      assertThat(Files.readString(MANIFESTS.resolve(file.getKey())))
          .as("%s: mvn -q -pl manifests -am process-classes -Dgenerate", file.getKey())
          .isEqualTo(file.getValue());
    }
    assertThat(new GeneratePackages(MANIFESTS).stale())
        .as("not generated any more: mvn -q -pl manifests -am process-classes -Dgenerate")
        .isEmpty();
  }

  @Test
  void aFileOfAnEarlierVersionIsFoundAndDeleted(@TempDir Path folder) throws IOException {
    Files.createDirectories(folder.resolve("crds"));
    GeneratePackages.main(new String[] {folder.toString()});
    assertThat(new GeneratePackages(folder).stale()).isEmpty();
    Path old = Files.writeString(folder.resolve("chart/templates/webhooks.yaml"), "kind: Old");

    assertThat(new GeneratePackages(folder).stale())
        .containsExactly("chart/templates/webhooks.yaml");
    GeneratePackages.main(new String[] {folder.toString()});

    assertThat(old).doesNotExist();
  }

  @Test
  void everyValueOfTheChartIsInItsSchemaAndEveryPropertyOfTheSchemaIsAValue() throws IOException {
    ObjectNode values =
        new YamlReader().read("values", requireNonNull(files().get("chart/values.yaml")));
    JsonNode schema = new JsonMapper().readTree(files().get("chart/values.schema.json"));
    List<String> described = paths("", schema);
    described.remove("global");
    List<String> withoutEffect =
        described.stream().filter(it -> isWithoutEffect(schema, it)).toList();
    described.removeAll(withoutEffect);

    assertThat(withoutEffect)
        .contains("enableKueueViz", "controllerManager.manager.resources")
        .allMatch(path -> values.at(path(path)).isMissingNode())
        .allMatch(requireNonNull(files().get("chart/templates/NOTES.txt"))::contains);
    assertThat(described).isNotEmpty().allMatch(path -> !values.at(path(path)).isMissingNode());
    assertThat(leaves("", values)).containsExactlyInAnyOrderElementsOf(described);
  }

  private static boolean isWithoutEffect(JsonNode schema, String path) {
    return schema
        .at("/properties/" + path.replace(".", "/properties/"))
        .path("description")
        .asText()
        .contains("no effect");
  }

  private static String path(String dotted) {
    return "/" + dotted.replace('.', '/');
  }

  private static List<String> paths(String before, JsonNode schema) {
    List<String> paths = new ArrayList<>();
    schema
        .path("properties")
        .properties()
        .forEach(
            it -> {
              String path = before.isEmpty() ? it.getKey() : before + "." + it.getKey();
              if (it.getValue().has("properties")) {
                paths.addAll(paths(path, it.getValue()));
              } else {
                paths.add(path);
              }
            });
    return paths;
  }

  private static List<String> leaves(String before, JsonNode value) {
    List<String> leaves = new ArrayList<>();
    value
        .properties()
        .forEach(
            it -> {
              String path = before.isEmpty() ? it.getKey() : before + "." + it.getKey();
              if (it.getValue().isObject() && !it.getValue().isEmpty()) {
                leaves.addAll(leaves(path, it.getValue()));
              } else {
                leaves.add(path);
              }
            });
    return leaves;
  }

  private static Map<String, String> files() throws IOException {
    return new GeneratePackages(MANIFESTS).files();
  }
}
