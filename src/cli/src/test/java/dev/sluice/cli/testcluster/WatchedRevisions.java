package dev.sluice.cli.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells every revision of all objects of some collections from now on. A watch that ends goes on
 * where it ended; where it cannot, something was missed, and {@link #missed} says so.
 */
public final class WatchedRevisions implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** Receives revisions; those of one collection in order, on one thread. */
  @FunctionalInterface
  public interface Listener {
    /** An object of the collection was stored like this, or deleted when it was like this. */
    void revision(String collection, JsonNode object, boolean gone);
  }

  private final ApiClient api;
  private final Listener listener;
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> missed = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Watches these collections, such as {@code /api/v1/pods}. */
  public WatchedRevisions(ApiClient api, Collection<String> collections, Listener listener) {
    this.api = api;
    this.listener = listener;
    for (String collection : collections) {
      JsonNode now = api.get(collection + "?limit=1").orThrow().json();
      String from = now.at("/metadata/resourceVersion").asText();
      threads.add(Thread.ofVirtual().start(() -> follow(collection, from)));
    }
  }

  private void follow(String collection, String from) {
    String seen = from;
    while (!closed) {
      String query = "?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=";
      try (BufferedReader events =
          new BufferedReader(new InputStreamReader(api.open(collection + query + seen), UTF_8))) {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
          seen = see(collection, JSON.readTree(line), seen);
        }
      } catch (IOException | UncheckedIOException | ControlPlaneException e) {
        if (!closed && String.valueOf(e.getMessage()).startsWith("410 ")) {
          missed.add("revisions were missed: " + collection + ": " + e.getMessage());
          return;
        }
      }
    }
  }

  private String see(String collection, JsonNode event, String seen) throws IOException {
    JsonNode object = event.path("object");
    String type = event.path("type").asText();
    if (type.equals("ERROR")) {
      throw new IOException(object.path("code").asText() + " " + object.path("message").asText());
    }
    if (!type.equals("BOOKMARK")) {
      listener.revision(collection, object, type.equals("DELETED"));
    }
    return object.at("/metadata/resourceVersion").asText(seen);
  }

  /** What could not be seen. */
  public List<String> missed() {
    return List.copyOf(missed);
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
