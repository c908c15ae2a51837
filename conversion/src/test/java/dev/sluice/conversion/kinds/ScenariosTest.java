package dev.sluice.conversion.kinds;

import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.Texts.sorted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that are converted, edited with our annotations left on them, and converted again. */
class ScenariosTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** A title and the acts, one a line. */
  record Scenario(String title, List<String> acts) {
    static Scenario of(String block) {
      List<String> lines = block.lines().toList();
      return new Scenario(lines.getFirst().substring(2), lines.subList(1, lines.size()));
    }

    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Scenario> scenarios() throws IOException {
    try (InputStream file = ScenariosTest.class.getResourceAsStream("scenarios.txt")) {
      String text = new String(Objects.requireNonNull(file, "scenarios").readAllBytes(), UTF_8);
      return Arrays.stream(text.strip().split("\n\n+")).skip(1).map(Scenario::of);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void endsAsItMust(Scenario scenario) throws IOException {
    String object = "";
    for (String act : scenario.acts()) {
      List<String> words = List.of(act.split(" ", 3));
      object =
          switch (words.get(0)) {
            case "to" -> carried(object, version(words.get(1)));
            case "edit" -> edited(object, words.get(1));
            case "note" -> annotated(object, version(words.get(1)), words.get(2));
            case "is" -> checked(object, words.get(1));
            case "has" -> checkedNote(object, version(words.get(1)), words.get(2));
            default ->
                object(
                    ApiKind.find(words.get(0)).orElseThrow(),
                    version(words.get(1)),
                    "\"metadata\":{}," + inner(words.get(2)));
          };
    }
    assertThat(scenario.acts().getLast()).matches("(is|has) .*");
  }

  private static String inner(String object) {
    return object.substring(1, object.length() - 1);
  }

  private static ApiVersion version(String text) {
    return Stream.of(ApiVersion.values())
        .filter(version -> version.text().equals(text))
        .findFirst()
        .orElseThrow();
  }

  /** The object with other members; kind, version and metadata stay. */
  private static String edited(String object, String members) throws JsonProcessingException {
    ObjectNode before = (ObjectNode) MAPPER.readTree(object);
    ObjectNode after = (ObjectNode) MAPPER.readTree(members);
    List.of("apiVersion", "kind", "metadata").forEach(key -> after.set(key, before.get(key)));
    return after.toString();
  }

  private static String annotated(String object, ApiVersion from, String text)
      throws JsonProcessingException {
    ObjectNode root = (ObjectNode) MAPPER.readTree(object);
    root.withObject("/metadata/annotations")
        .setAll((ObjectNode) MAPPER.readTree("{" + Texts.note(from, text) + "}"));
    return root.toString();
  }

  private static String checked(String object, String members) throws JsonProcessingException {
    ObjectNode root = (ObjectNode) MAPPER.readTree(object);
    root.remove(List.of("apiVersion", "kind", "metadata"));
    assertThat(sorted(root.toString())).isEqualTo(sorted(members));
    return object;
  }

  private static String checkedNote(String object, ApiVersion from, String text)
      throws JsonProcessingException {
    assertThat(
            MAPPER
                .readTree(object)
                .at("/metadata/annotations")
                .path("conversion.kueue.x-k8s.io/from-" + from.text())
                .asText("none"))
        .isEqualTo(text);
    return object;
  }
}
