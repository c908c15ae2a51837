package dev.sluice.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cli.manifest.Manifest.Place;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonOutput;
import dev.sluice.conversion.law.Mode;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.RuleBook;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.Violation;
import dev.sluice.webhook.rules.World;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does offline what API server and webhook do together: converts to the hub, then applies rules.
 */
final class ManifestValidator {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Converter converter = new Converter(Mode.CARRY);
  private final RuleBook rules = StandardRules.book();
  private final Map<Identity, JsonNode> old = new HashMap<>();

  private record Identity(ApiKind kind, String name) {}

  /**
   * Something the rules found.
   *
   * @param place file and line
   * @param object kind and name
   * @param field the field's path, empty if it is about the whole
   * @param type the type of violation, {@code Warning} for warnings
   * @param message one line that begins with the field
   * @param refuses whether the object would be refused for it
   */
  record Finding(
      String place, String object, String field, String type, String message, boolean refuses) {
    String text() {
      return "%s: %s: %s%s".formatted(place, object, refuses ? "" : "warning: ", message);
    }
  }

  /** A validator that treats objects among these as updates of them. */
  ManifestValidator(List<Manifest> stored) {
    for (Manifest manifest : stored) {
      for (Json object : objects(manifest.value())) {
        if (converter.convert(object, ApiVersion.HUB) instanceof Outcome.Converted converted) {
          old.put(identity(converted), tree(converted.object()));
        }
      }
    }
  }

  /** Adds what the rules find in the document; returns how many objects of ours it holds. */
  int check(Manifest manifest, List<Finding> findings) {
    int checked = 0;
    List<Json> objects = objects(manifest.value());
    for (int i = 0; i < objects.size(); i++) {
      String prefix = objects.size() > 1 || isList(manifest) ? "items[" + i + "]." : "";
      if (isOurs(objects.get(i))) {
        checked++;
        check(objects.get(i), manifest.place(), prefix, findings);
      }
    }
    return checked;
  }

  private void check(Json object, Place place, String prefix, List<Finding> findings) {
    switch (converter.convert(object, ApiVersion.HUB)) {
      case Outcome.Refused refused ->
          findings.add(
              new Finding(
                  place.of(prefix + "apiVersion"),
                  "object",
                  "apiVersion",
                  "Invalid",
                  refused.message(),
                  true));
      case Outcome.Converted converted -> check(converted, place, prefix, findings);
    }
  }

  private void check(
      Outcome.Converted converted, Place place, String prefix, List<Finding> findings) {
    JsonNode stored = old.get(identity(converted));
    RuleInput input =
        new RuleInput(
            stored == null ? RuleInput.Operation.CREATE : RuleInput.Operation.UPDATE,
            tree(converted.object()),
            stored,
            World.UNKNOWN);
    Findings found = rules.check(converted.kind().groupKind(), input);
    String object = "%s \"%s\"".formatted(converted.kind(), converted.name());
    for (Violation violation : found.violations()) {
      findings.add(
          new Finding(
              place.of(prefix + violation.field()),
              object,
              violation.field(),
              violation.type().text(),
              violation.text(),
              true));
    }
    for (String warning : found.warnings()) {
      findings.add(new Finding(place.of(prefix), object, "", "Warning", warning, false));
    }
  }

  private static Identity identity(Outcome.Converted converted) {
    return new Identity(converted.kind(), converted.name());
  }

  private static List<Json> objects(Json value) {
    JsonArray items = value.opened() instanceof JsonObject object ? items(object) : null;
    if (items == null) {
      return List.of(value);
    }
    return java.util.stream.IntStream.range(0, items.size()).mapToObj(items::get).toList();
  }

  private static @Nullable JsonArray items(JsonObject object) {
    String kind = object.text("kind");
    return kind != null && kind.endsWith("List") ? object.array("items") : null;
  }

  private static boolean isList(Manifest manifest) {
    return manifest.value().opened() instanceof JsonObject object && items(object) != null;
  }

  private static boolean isOurs(Json value) {
    String version = value.opened() instanceof JsonObject object ? object.text("apiVersion") : null;
    return version != null && version.startsWith(ApiVersion.GROUP + "/");
  }

  private static JsonNode tree(Json value) {
    JsonOutput out = new JsonOutput();
    value.writeTo(out);
    try {
      return MAPPER.readTree(out.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that we wrote cannot be read", e);
    }
  }
}
