package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows every object of a kind at one version as controllers do: it lists once and then watches.
 * One watch has to last: it is not restarted.
 */
final class Informer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final ApiClient client;
  private final KindClient kind;
  private final ApiVersion version;
  private final Map<String, String> resourceVersions = new ConcurrentHashMap<>();
  private final AtomicLong events = new AtomicLong();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<?> watching;
  private final InputStream stream;
  private volatile boolean closed;

  /** Lists everything, and watches from there on. */
  Informer(ApiClient client, KindClient kind, ApiVersion version) throws IOException {
    this.client = client;
    this.kind = kind;
    this.version = version;
    String since = list(resourceVersions);
    stream =
        client.open(
            kind.collection(version)
                + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion="
                + since);
    watching = thread.submit(this::watch);
  }

  private String list(Map<String, String> into) throws IOException {
    return ObjectStream.list(
            client,
            kind.collection(version),
            object -> into.put(ObjectStream.key(object), resourceVersion(object)))
        .path("resourceVersion")
        .asText();
  }

  private static String resourceVersion(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }

  private void watch() {
    try (MappingIterator<JsonNode> stories = JSON.readerFor(JsonNode.class).readValues(stream)) {
      while (stories.hasNextValue()) {
        see(stories.nextValue());
      }
      assertThat(closed).as("the watch lasts").isTrue();
    } catch (IOException e) {
      assertThat(closed).as("the watch lasts: %s", e).isTrue();
    }
  }

  private void see(JsonNode event) {
    JsonNode object = event.path("object");
    String type = event.path("type").asText();
    switch (type) {
      case "BOOKMARK" -> {}
      case "DELETED" -> resourceVersions.remove(ObjectStream.key(object));
      case "ADDED", "MODIFIED" -> {
        assertThat(object.path("apiVersion").asText()).isEqualTo(version.groupVersion());
        resourceVersions.put(ObjectStream.key(object), resourceVersion(object));
      }
      default -> throw new AssertionError(event.toString());
    }
    events.incrementAndGet();
  }

  /** The number of objects that it knows. */
  int size() {
    return resourceVersions.size();
  }

  /** The number of changes seen. */
  long events() {
    return events.get();
  }

  /** Whether it knows the last state of each object that a list shows now. */
  boolean isUpToDate() throws IOException {
    assertThat(watching).as("the watch").isNotDone();
    Map<String, String> listed = new TreeMap<>();
    list(listed);
    return listed.equals(new TreeMap<>(resourceVersions));
  }

  @Override
  public void close() throws IOException {
    closed = true;
    stream.close();
    thread.close();
  }
}
