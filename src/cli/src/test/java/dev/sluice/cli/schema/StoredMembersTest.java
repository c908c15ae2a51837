package dev.sluice.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.workload.StoredMembers;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs are compared by the members that the schema of Workloads names. */
class StoredMembersTest {
  private static final Path CRD =
      Path.of("..", "..", "manifests", "crds", "kueue.x-k8s.io_workloads.yaml");

  @ParameterizedTest
  @CsvSource({"0, containers", "0, initContainers", "1, containers", "1, initContainers"})
  void membersOfContainersAreThoseOfTheSchema(int version, String list) throws IOException {
    assertThat(members(version, list)).isEqualTo(words(StoredMembers.OF_CONTAINERS));
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void membersOfTolerationsAreThoseOfTheSchema(int version) throws IOException {
    assertThat(members(version, "tolerations")).isEqualTo(words(StoredMembers.OF_TOLERATIONS));
  }

  @Test
  void noOtherVersionOfWorkloadsHasASchema() throws IOException {
    assertThat(versions()).hasSize(2);
  }

  private static JsonNode versions() throws IOException {
    return new YamlReader()
        .read(CRD.toString(), Files.readString(CRD))
        .path("spec")
        .path("versions");
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  private static String members(int version, String list) throws IOException {
    String podSets = "/schema/openAPIV3Schema/properties/spec/properties/podSets";
    return members(
        versions()
            .path(version)
            .at(podSets + "/items/properties/template/properties/spec/properties/" + list));
  }

  private static String members(JsonNode schema) {
    if (schema.has("items")) {
      return members(schema.path("items"));
    }
    if (!schema.has("properties")) {
      return "";
    }
    var sorted = new TreeMap<String, JsonNode>();
    schema.path("properties").properties().forEach(it -> sorted.put(it.getKey(), it.getValue()));
    return sorted.entrySet().stream()
        .map(it -> it.getKey() + members(it.getValue()))
        .collect(Collectors.joining(" ", "(", ")"));
  }
}
