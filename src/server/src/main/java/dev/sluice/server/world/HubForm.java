package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.server.objects.ManifestObject;

/** Brings objects of our group to the hub version, as the API server would. */
final class HubForm {
  private static final Converter CONVERTER = new Converter(Mode.CARRY);

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
    return switch (CONVERTER.convert(ManifestObject.slice(object), ApiVersion.HUB)) {
      case Outcome.Converted converted -> ManifestObject.tree(converted.object());
      case Outcome.Refused refused -> throw new IllegalArgumentException(refused.message());
    };
  }
}
