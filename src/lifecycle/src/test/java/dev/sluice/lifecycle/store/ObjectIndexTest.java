package dev.sluice.lifecycle.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObjectIndexTest {
  private static JsonNode object(String name, Set<String> values) {
    ObjectNode object = new JsonMapper().createObjectNode();
    object.putObject("metadata").put("namespace", "n").put("name", name);
    values.forEach(object.putArray("values")::add);
    return object;
  }

  private static Set<String> values(JsonNode object) {
    Set<String> values = new TreeSet<>();
    object.path("values").forEach(value -> values.add(value.asText()));
    return values;
  }

  /** A law: after any changes, those are found for a value that have it now. */
  @Test
  void findsThoseThatHaveAValueNow() {
    Random random = new Random(5);
    ObjectIndex index = new ObjectIndex(ObjectIndexTest::values);
    Map<String, JsonNode> objects = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      String name = "o" + random.nextInt(6);
      Set<String> values = new TreeSet<>();
      IntStream.range(0, random.nextInt(3)).forEach(_ -> values.add("v" + random.nextInt(3)));
      JsonNode after = random.nextInt(4) == 0 ? null : object(name, values);
      JsonNode before = after == null ? objects.remove(name) : objects.put(name, after);
      if (before != null || after != null) {
        index.note(new ObjectChange(Optional.ofNullable(before), Optional.ofNullable(after)));
      }
      for (String value : List.of("v0", "v1", "v2")) {
        assertThat(index.find(value))
            .containsExactlyElementsOf(
                objects.values().stream()
                    .filter(it -> values(it).contains(value))
                    .map(ObjectKey::of)
                    .sorted()
                    .toList());
      }
    }
  }
}
