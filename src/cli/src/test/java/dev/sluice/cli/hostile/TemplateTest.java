package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int OBJECTS = 40;
  private static final int EDITS = 50;

  @Test
  void anEditedTextIsJsonThatKeepsWhatItShouldKeep() throws IOException {
    Set<String> kept = Set.of("apiVersion", "kind");
    for (int i = 0; i < OBJECTS; i++) {
      RandomGenerator random = Body.random(18, "template", i);
      byte[] text = Types.valid(random, ApiKind.WORKLOAD, ApiVersion.HUB).write().getBytes(UTF_8);
      Template template = Template.of(text);
      for (int j = 0; j < EDITS; j++) {
        JsonNode edited = read(template.edited(random, kept));
        assertThat(edited.path("kind").asText()).isEqualTo("Workload");
        assertThat(edited.path("apiVersion").asText()).isEqualTo("kueue.x-k8s.io/v1beta2");
      }
      assertThat(template.text()).isEqualTo(text);
    }
  }

  @Test
  void everyValueOfAnObjectIsEditedNowAndThen() throws IOException {
    Template template =
        Template.of("{\"a\":{\"b\":[1,\"x\"],\"c\":true},\"d\":{},\"e\":[]}".getBytes(UTF_8));
    RandomGenerator random = Body.random(18, "template", 0);
    JsonNode original = read(template.text());
    Set<String> untouched = new HashSet<>(Set.of("/a", "/a/b", "/a/b/0", "/a/b/1", "/a/c", "/d"));
    untouched.add("/e");
    for (int i = 0; i < OBJECTS * EDITS; i++) {
      JsonNode edited = read(template.edited(random, Set.of()));
      untouched.removeIf(path -> !edited.at(path).equals(original.at(path)));
    }
    assertThat(untouched).isEmpty();
  }

  private static JsonNode read(byte[] text) throws IOException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(new String(text, UTF_8), e);
    }
  }
}
