package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.manifests.yaml.YamlReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SampleTest {

  private final Manifests manifests = new Manifests();

  @ParameterizedTest
  @EnumSource
  void aSampleExplainsItselfAndHasOnlyFieldsOfItsVersion(Sample sample) {
    String text = manifests.sample(sample);

    List<ObjectNode> objects = new YamlReader().readAll(sample.fileName(), text);

    assertThat(text).startsWith("# ");
    assertThat(objects).isNotEmpty();
    assertThat(objects).allSatisfy(object -> requireKnown("", object, schemaOf(object)));
  }

  private JsonNode schemaOf(ObjectNode object) {
    ApiKind kind = ApiKind.find(object.path("kind").asText()).orElseThrow();
    ApiVersion version =
        ApiVersion.findByGroupVersion(object.path("apiVersion").asText()).orElseThrow();
    return manifests.schema(kind, version);
  }

  private static void requireKnown(String path, JsonNode value, JsonNode schema) {
    if (path.equals(".metadata")) {
      return;
    }
    for (JsonNode name : schema.path("required")) {
      assertThat(value.has(name.asText())).as(path + "." + name.asText()).isTrue();
    }
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String at = path + "." + field.getKey();
      assertThat(schema.path("properties").has(field.getKey())).as(at).isTrue();
      requireKnown(at, field.getValue(), schema.path("properties").get(field.getKey()));
    }
    if (value.isArray()) {
      value.forEach(item -> requireKnown(path + "[]", item, schema.path("items")));
    }
  }
}
