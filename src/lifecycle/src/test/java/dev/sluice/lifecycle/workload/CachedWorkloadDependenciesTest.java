package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.GroupKind;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.lifecycle.store.ObjectLookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of the queues that Workloads depend on. */
class CachedWorkloadDependenciesTest {
  private final Map<String, JsonNode> queues = new HashMap<>();
  private final CachedWorkloadDependencies dependencies =
      new CachedWorkloadDependencies(
          new ObjectLookup() {
            @Override
            public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
              return Optional.ofNullable(queues.get(name));
            }

            @Override
            public List<JsonNode> controlledBy(GroupKind kind, String uid) {
              return List.of();
            }
          },
          () -> {
            throw new AssertionError("LocalQueues are not looked up in the engine");
          },
          new PriorityWatch(),
          (_, _) -> Health.GOOD);

  @Test
  void queuesThatAreGoneAreForgottenHoweverManyThereWere() {
    for (int i = 0; i < 20_000; i++) {
      String name = "lq-" + i;
      queues.put(name, localQueue(name));
      assertThat(dependencies.localQueue("ns", name)).isPresent();
      queues.remove(name);
    }

    assertThat(dependencies.kept()).isLessThan(2_000);
  }

  @Test
  void queuesThatAreThereAreReadOnce() {
    for (int i = 0; i < 5_000; i++) {
      queues.put("lq-" + i, localQueue("lq-" + i));
      assertThat(dependencies.localQueue("ns", "lq-" + i)).isPresent();
    }

    assertThat(dependencies.localQueue("ns", "lq-0").orElseThrow())
        .isSameAs(dependencies.localQueue("ns", "lq-0").orElseThrow());
    assertThat(dependencies.kept()).isEqualTo(5_000);
  }

  private static JsonNode localQueue(String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("namespace", "ns").put("name", name);
    object.putObject("spec").put("clusterQueue", "cq");
    return object;
  }
}
