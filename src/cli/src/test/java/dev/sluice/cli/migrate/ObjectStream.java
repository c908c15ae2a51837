package dev.sluice.cli.migrate;

import static dev.sluice.controlplane.ControlPlaneException.Reason.UNREACHABLE;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Reads lists of any length, one object at a time. */
final class ObjectStream {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> BUSY = List.of("429 ", "503 ", "504 ");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private ObjectStream() {}

  /**
   * Lists a collection in one answer, asking again as long as the API server wants to be asked
   * later, as it does while it fills its cache; returns the metadata of the list.
   */
  static JsonNode list(ApiClient client, String collection, Consumer<JsonNode> visitor)
      throws IOException {
    JsonNode metadata = JSON.nullNode();
    try (InputStream body = open(client, collection);
        JsonParser parser = JSON.createParser(body)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("items") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            visitor.accept(JSON.readTree(parser));
          }
        } else if (field.equals("metadata")) {
          metadata = JSON.readTree(parser);
        } else {
          parser.skipChildren();
        }
      }
    }
    return metadata;
  }

  private static InputStream open(ApiClient client, String collection) {
    return await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(1)) // as its Retry-After asks
        .ignoreExceptionsMatching(ObjectStream::asksForLater)
        .until(() -> client.open(collection), _ -> true);
  }

  private static boolean asksForLater(Throwable e) {
    return e instanceof ControlPlaneException trouble
        && (trouble.reason() == UNREACHABLE
            || BUSY.stream().anyMatch(String.valueOf(trouble.getMessage())::startsWith));
  }

  /** The place of an object: namespace, slash, name. */
  static String key(JsonNode object) {
    return ObjectPath.of(object).toString();
  }
}
