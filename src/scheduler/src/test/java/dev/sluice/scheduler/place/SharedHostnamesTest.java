package dev.sluice.scheduler.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.store.Kinds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of Nodes that share a hostname. */
class SharedHostnamesTest {
  private final List<Write.Event> told = new ArrayList<>();
  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SharedHostnames hostnames = new SharedHostnames(told::add, leads::get, registry);

  private static JsonNode node(String name, String hostname) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.putObject("metadata")
        .put("name", name)
        .put("uid", "uid-" + name)
        .putObject("labels")
        .put("kubernetes.io/hostname", hostname);
    return node;
  }

  private void changed(@Nullable JsonNode before, @Nullable JsonNode after) {
    hostnames.changed(
        Kinds.NODE, new ObjectChange(Optional.ofNullable(before), Optional.ofNullable(after)));
  }

  private double shared() {
    return registry.get("sluice.shared.hostnames").gauge().value();
  }

  @Test
  void tellsTheSecondNodeOnceAndCountsTheHostnameUntilItIsUniqueAgain() {
    JsonNode first = node("a", "h");
    JsonNode second = node("b", "h");
    changed(null, first);
    assertThat(told).isEmpty();

    changed(null, second);
    changed(second, second);

    assertThat(told)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.target().name()).isEqualTo("b");
              assertThat(event.type()).isEqualTo("Warning");
              assertThat(event.reason()).isEqualTo("HostnameNotUnique");
              assertThat(event.message()).startsWith("Node a has the same label");
            });
    assertThat(shared()).isEqualTo(1);

    changed(second, node("b", "other"));
    assertThat(shared()).isZero();
  }

  @Test
  void aReplicaThatDoesNotLeadTellsItOnceItDoes() {
    leads.set(false);

    changed(null, node("a", "h"));
    changed(null, node("b", "h"));

    assertThat(told).isEmpty();
    assertThat(shared()).isEqualTo(1);

    hostnames.resync();
    assertThat(told).extracting(event -> event.target().name()).containsExactly("b");
  }
}
