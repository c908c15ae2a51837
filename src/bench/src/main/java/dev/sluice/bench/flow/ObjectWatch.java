package dev.sluice.bench.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.json.tree.Keep;
import dev.sluice.json.tree.PrunedReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches all objects of a collection, in one thread. If the API server ends the watch because the
 * reader is slow, the watch is resumed.
 */
public final class ObjectWatch implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Keep EVENT =
      Keep.only("type")
          .with(
              "object",
              Keep.only("code", "message")
                  .with("metadata", Keep.only("name", "resourceVersion"))
                  .with("spec", Keep.only("suspend"))
                  .with("status", Keep.only("conditions")));

  private final ApiClient client;
  private final String collection;
  private final Consumer<JsonNode> listener;
  private final Consumer<String> failed;
  private final PrunedReader reader = new PrunedReader();
  private final AtomicInteger resumptions = new AtomicInteger();
  private final Thread thread = Thread.ofVirtual().name("load-watch").unstarted(this::watch);
  private volatile @Nullable BufferedReader events;
  private volatile boolean closed;
  private String resourceVersion = "";

  /**
   * A watch that has not started.
   *
   * @param collection its path
   * @param listener receives name, conditions, and whether it is suspended, of each object after a
   *     change, in the thread of the watch
   * @param failed receives why the watch ended, if it was not closed
   */
  public ObjectWatch(
      ApiClient client, String collection, Consumer<JsonNode> listener, Consumer<String> failed) {
    this.client = client;
    this.collection = collection;
    this.listener = listener;
    this.failed = failed;
  }

  /** Starts with what happens after this call. */
  public void start() {
    resourceVersion =
        client
            .get(collection + "?limit=1")
            .orThrow()
            .json()
            .at("/metadata/resourceVersion")
            .asText();
    thread.start();
  }

  private void watch() {
    try {
      while (!closed) {
        follow();
        resumptions.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        failed.accept("the watch broke: " + e);
      }
    }
  }

  private void follow() throws IOException {
    try (BufferedReader lines = open()) {
      events = lines;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try (JsonParser parser = JSON.createParser(line)) {
          parser.nextToken();
          see(reader.read(parser, EVENT));
        }
      }
    }
  }

  private BufferedReader open() {
    return new BufferedReader(
        new InputStreamReader(
            client.open(
                collection + "?watch=1&timeoutSeconds=7200&resourceVersion=" + resourceVersion),
            UTF_8));
  }

  private void see(JsonNode event) {
    JsonNode object = event.path("object");
    if (event.path("type").asText().equals("ERROR")) {
      throw new IllegalStateException(object.path("message").asText());
    }
    resourceVersion = object.at("/metadata/resourceVersion").asText();
    listener.accept(object);
  }

  /** How often the API server ended the watch. */
  int resumptions() {
    return resumptions.get();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    BufferedReader open = events;
    if (open != null) {
      open.close();
    }
  }
}
