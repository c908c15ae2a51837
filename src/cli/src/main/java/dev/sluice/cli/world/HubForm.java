package dev.sluice.cli.world;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.law.Mode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.io.IOException;

/** Brings objects of our group to the hub version, as the API server would. */
final class HubForm {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);

  private HubForm() {}

  /**
   * The object at the hub version; one of another group as it is.
   *
   * @throws IllegalArgumentException naming the object, if it cannot be converted
   */
  static JsonNode of(JsonNode object) {
    String version = object.path("apiVersion").asText();
    boolean ours = version.startsWith(ApiVersion.GROUP + "/");
    return !ours || version.equals(ApiVersion.HUB.groupVersion()) ? object : convert(object);
  }

  private static JsonNode convert(JsonNode object) {
    try {
      Json value = SYNTAX.check(object.toString().getBytes(UTF_8));
      return switch (new Converter(Mode.CARRY).convert(value, ApiVersion.HUB)) {
        case Outcome.Converted converted -> parse(converted.object());
        case Outcome.Refused refused -> throw new IllegalArgumentException(refused.message());
      };
    } catch (MalformedJsonException | IOException e) {
      throw new IllegalStateException("a tree in memory is no JSON", e);
    }
  }

  private static JsonNode parse(Json converted) throws IOException {
    JsonOutput out = new JsonOutput();
    converted.writeTo(out);
    return JSON.readTree(out.toByteArray());
  }
}
