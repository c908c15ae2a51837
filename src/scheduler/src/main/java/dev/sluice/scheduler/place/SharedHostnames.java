package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.quota.topology.Levels;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.work.Controller;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports Nodes with the same label {@code kubernetes.io/hostname}. Placement counts such Nodes as
 * one place with the room of all, so pods can be sent to a Node that has no room for them.
 * Thread-safe.
 */
public final class SharedHostnames implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(SharedHostnames.class);
  private static final String REPORTER = "kueue-tas-node-controller";
  private static final GroupVersionKind NODE = new GroupVersionKind("", "v1", "Node");

  private final ObjectIndex nodes = new ObjectIndex(SharedHostnames::hostname);

  /** The message about each hostname that several nodes have. */
  private final Map<String, Write.Event> shared = new ConcurrentHashMap<>();

  private final Consumer<Write.Event> events;
  private final BooleanSupplier leads;

  /**
   * Before the first Node.
   *
   * @param events takes events for users; must not block
   * @param leads whether this replica sends events
   */
  public SharedHostnames(
      Consumer<Write.Event> events, BooleanSupplier leads, MeterRegistry registry) {
    this.events = events;
    this.leads = leads;
    Gauge.builder("sluice.shared.hostnames", shared, Map::size)
        .description("Values of the label kubernetes.io/hostname that several Nodes share")
        .register(registry);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (!kind.equals(Kinds.NODE)) {
      return;
    }
    Set<String> before = change.before().map(SharedHostnames::hostname).orElse(Set.of());
    Set<String> after = change.after().map(SharedHostnames::hostname).orElse(Set.of());
    if (before.equals(after)) {
      return; // as nearly always
    }
    nodes.note(change);
    before.stream().filter(name -> nodes.find(name).size() < 2).forEach(shared::remove);
    change.after().ifPresent(node -> after.forEach(name -> look(name, node)));
  }

  private void look(String hostname, JsonNode node) {
    List<ObjectKey> same = nodes.find(hostname);
    if (same.size() < 2) {
      return;
    }
    String name = ObjectKey.of(node).name();
    String other =
        same.stream().map(ObjectKey::name).filter(it -> !it.equals(name)).findFirst().orElse(name);
    Write.Event event =
        new Write.Event(
            ObjectRef.of(NODE, node),
            REPORTER,
            "Warning",
            EventReasons.HOSTNAME_NOT_UNIQUE,
            "Node %s has the same label %s=%s; topology placement counts both as one place"
                .formatted(other, Levels.HOSTNAME, hostname));
    shared.put(hostname, event);
    if (leads.getAsBoolean()) {
      tell(event);
    }
  }

  private void tell(Write.Event event) {
    LOG.warn("Node {}: {}", event.target().name(), event.message());
    events.accept(event);
  }

  private static Set<String> hostname(JsonNode node) {
    String name = node.path("metadata").path("labels").path(Levels.HOSTNAME).asText();
    return name.isEmpty() ? Set.of() : Set.of(name);
  }

  @Override
  public void resync() {
    shared.values().forEach(this::tell);
  }

  @Override
  public void close() {}
}
