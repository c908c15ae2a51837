package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.TestkitException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Sees every revision of every Workload and Pod of a namespace from now on. A watch that ends goes
 * on where it ended; one that cannot is told of, for something was missed.
 */
final class PlacementAudit implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final ApiClient api;
  private final Map<String, BiFunction<JsonNode, Boolean, Placed>> kinds;
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private final List<Placed> history = new ArrayList<>();

  @GuardedBy("this")
  private final Map<String, Long> last = new HashMap<>();

  @GuardedBy("this")
  private final List<String> missed = new ArrayList<>();

  private volatile boolean closed;

  PlacementAudit(ApiClient api, String namespace) {
    this.api = api;
    this.kinds =
        Map.of(
            "/apis/kueue.x-k8s.io/v1beta2/namespaces/" + namespace + "/workloads",
            Placed::workload,
            "/api/v1/namespaces/" + namespace + "/pods",
            Placed::pod);
    kinds.forEach(
        (path, reader) -> {
          String from =
              api.get(path + "?limit=1").orThrow().json().at("/metadata/resourceVersion").asText();
          threads.add(Thread.ofVirtual().start(() -> follow(path, from, reader)));
        });
  }

  private void follow(String path, String from, BiFunction<JsonNode, Boolean, Placed> reader) {
    String seen = from;
    while (!closed) {
      String query = "?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=";
      try (BufferedReader events =
          new BufferedReader(new InputStreamReader(api.open(path + query + seen), UTF_8))) {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
          seen = see(path, JSON.readTree(line), seen, reader);
        }
      } catch (IOException | UncheckedIOException | TestkitException e) {
        if (!closed && String.valueOf(e.getMessage()).contains("410")) {
          miss(path + ": " + e.getMessage());
          return;
        }
      }
    }
  }

  private synchronized String see(
      String path, JsonNode event, String seen, BiFunction<JsonNode, Boolean, Placed> reader)
      throws IOException {
    JsonNode object = event.path("object");
    String type = event.path("type").asText();
    if (type.equals("ERROR")) {
      throw new IOException(object.path("code").asText() + " " + object.path("message").asText());
    }
    if (!type.equals("BOOKMARK")) {
      Placed placed = reader.apply(object, type.equals("DELETED"));
      history.add(placed);
      last.put(path + "/" + placed.name(), placed.version());
    }
    return object.at("/metadata/resourceVersion").asText(seen);
  }

  private synchronized void miss(String what) {
    missed.add("revisions were missed: " + what);
  }

  /** Whether everything was seen that can be read now. */
  boolean isUpToDate() {
    return kinds.entrySet().stream()
        .allMatch(
            kind ->
                api.get(kind.getKey())
                    .orThrow()
                    .json()
                    .path("items")
                    .valueStream()
                    .allMatch(it -> hasSeen(kind.getKey(), kind.getValue().apply(it, false))));
  }

  private synchronized boolean hasSeen(String path, Placed now) {
    return last.getOrDefault(path + "/" + now.name(), -1L) >= now.version();
  }

  /** Everything so far, in the order in which it was stored. */
  synchronized List<Placed> history() {
    List<Placed> sorted = new ArrayList<>(history);
    sorted.sort(Comparator.comparingLong(Placed::version));
    return sorted;
  }

  /** What could not be seen. */
  synchronized List<String> missed() {
    return List.copyOf(missed);
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
