package dev.sluice.cli.migrate;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.testkit.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Reads lists of any length, one object at a time. */
final class ObjectStream {
  private static final JsonMapper JSON = new JsonMapper();

  private ObjectStream() {}

  /** Lists a collection in one answer; returns the metadata of the list. */
  static JsonNode list(ApiClient client, String collection, Consumer<JsonNode> visitor)
      throws IOException {
    JsonNode metadata = JSON.nullNode();
    try (InputStream body = client.open(collection);
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

  /** The place of an object: namespace, slash, name. */
  static String key(JsonNode object) {
    return ObjectPath.of(object).toString();
  }
}
