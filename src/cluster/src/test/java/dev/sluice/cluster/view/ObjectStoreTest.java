package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.rules.view.ObjectView;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectStoreTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<String> NAMESPACES = List.of("", "a", "ab", "b");

  private final ObjectStore store = new ObjectStore();

  static ObjectNode pod(String namespace, String name, String owner) {
    ObjectNode pod = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata").put("namespace", namespace).put("name", name);
    if (!owner.isEmpty()) {
      metadata.putArray("ownerReferences").addObject().put("uid", owner).put("controller", true);
    }
    return pod;
  }

  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  /** A law: whatever happened before, every question is answered as by a view of what is left. */
  @ParameterizedTest
  @MethodSource("seeds")
  void answersLikeAViewOfTheSameObjectsAfterAnySteps(long seed) {
    Random random = new Random(seed);
    Map<ObjectKey, JsonNode> expected = new TreeMap<>();
    for (int step = 0; step < 300; step++) {
      JsonNode pod =
          pod(
              NAMESPACES.get(random.nextInt(4)),
              "p" + random.nextInt(12),
              random.nextInt(3) == 0 ? "" : "u" + random.nextInt(4));
      switch (random.nextInt(12)) {
        case 0 -> {
          expected.keySet().removeIf(_ -> random.nextBoolean());
          store.retain(expected.keySet());
        }
        case 1, 2, 3 -> {
          expected.remove(ObjectKey.of(pod));
          store.remove(ObjectKey.of(pod));
        }
        default -> {
          expected.put(ObjectKey.of(pod), pod);
          store.put(pod);
        }
      }
    }

    ObjectView view = ObjectView.of(expected.values());
    var kind = new dev.sluice.api.GroupKind("", "Pod");
    assertThat(store.size()).isEqualTo(expected.size());
    assertThat(List.copyOf(store.all())).isEqualTo(List.copyOf(expected.values()));
    for (String namespace : NAMESPACES) {
      assertThat(store.list(namespace)).isEqualTo(view.list(kind, namespace));
      for (int i = 0; i < 12; i++) {
        assertThat(store.find(namespace, "p" + i)).isEqualTo(view.find(kind, namespace, "p" + i));
      }
    }
    for (String owner : List.of("", "u0", "u1", "u2", "u3")) {
      assertThat(store.controlledBy(owner)).isEqualTo(view.controlledBy(kind, owner));
    }
  }

  @Test
  void followsAnObjectFromOneOwnerToAnother() {
    store.put(pod("a", "p", "old"));
    store.put(pod("a", "p", "new"));

    assertThat(store.controlledBy("old")).isEmpty();
    assertThat(names(store.controlledBy("new"))).isEqualTo("p");
  }

  @Test
  void knowsNoOwnerThatIsNotInControl() {
    ObjectNode pod = pod("a", "p", "owner");
    ((ObjectNode) pod.at("/metadata/ownerReferences/0")).remove("controller");

    store.put(pod);

    assertThat(store.controlledBy("owner")).isEmpty();
    assertThat(store.controlledBy("")).isEmpty();
  }

  private static String names(List<JsonNode> objects) {
    return objects.stream()
        .map(it -> it.at("/metadata/name").asText())
        .collect(Collectors.joining(" "));
  }
}
