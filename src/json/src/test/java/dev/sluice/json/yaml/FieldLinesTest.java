package dev.sluice.json.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of fields, by the paths of an API server, which write keys of maps as they are. */
class FieldLinesTest {
  private static final String YAML =
      """
      # 🚢 before the first document
      a: 1
      --- # the second
      metadata:
        labels:
          example.com/a.b: x
          example.com/a: {c: y}
      spec:
        levels:
        - nodeLabel: rack
        -
          nodeLabel: host
        "odd[0].key": {inner: 1}
      --- {spec: {levels: [
        {nodeLabel: 🚢},
        {nodeLabel: b}]}}
      """;
  private static final String JSON =
      """
      {"a": 1}
      {"metadata":
        {"labels":
          {"example.com/a.b": "x",
           "example.com/a": {"c": "y"}}},
       "spec": {"levels": [
          {"nodeLabel": "rack"},
          {"nodeLabel": "host"}],
        "odd[0].key":
          {"inner": 1}}}
      """;

  @ParameterizedTest
  @CsvSource({
    "0,a,2",
    "0,b.c,2",
    "1,metadata.labels,5",
    "1,metadata.labels.example.com/a.b,6",
    "1,metadata.labels[example.com/a.b],6",
    "1,metadata.labels.example.com/a.c,7",
    "1,spec.levels,9",
    "1,spec.levels[0].nodeLabel,10",
    "1,spec.levels[1],12",
    "1,spec.levels[1].nodeLabel,12",
    "1,spec.levels[2].nodeLabel,9",
    "1,spec.levels[1x],9",
    "1,spec.odd[0].key.inner,13",
    "1,spec.unknown.deeper,8",
    "1,'',4",
    "2,spec.levels[0].nodeLabel,15",
    "2,spec.levels[1].nodeLabel,16"
  })
  void areThoseOfTheFieldOrTheNearestAroundItInYaml(int document, String path, int line)
      throws Exception {
    assertThat(manifests(YAML).get(document).place().of(path)).isEqualTo("x:" + line);
  }

  @ParameterizedTest
  @CsvSource({
    "0,a,1",
    "1,metadata.labels.example.com/a.b,4",
    "1,metadata.labels[example.com/a].c,5",
    "1,spec.levels[0].nodeLabel,7",
    "1,spec.levels[1].nodeLabel,8",
    "1,spec.levels[2],6",
    "1,spec.odd[0].key.inner,10"
  })
  void areThoseOfTheValueInJson(int document, String path, int line) throws Exception {
    assertThat(manifests(JSON).get(document).place().of(path)).isEqualTo("x:" + line);
  }

  private static List<Manifest> manifests(String text) throws ManifestException {
    return ManifestReader.read("x", text.getBytes(UTF_8));
  }
}
