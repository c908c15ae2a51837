package dev.sluice.cli.convert;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.yaml.Manifest;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Converts documents: objects of our group, lists of any objects, and leaves all else as it is. */
final class ManifestConverter {
  private final ApiVersion to;
  private final Converter converter;
  private final Consumer<String> warnings;

  /**
   * The result of converting a document.
   *
   * @param value the document to print, or null if it could not be converted
   * @param format how it came
   */
  record Result(@Nullable Json value, Manifest.Format format) {}

  ManifestConverter(ApiVersion to, Mode mode, Consumer<String> warnings) {
    this.to = to;
    this.converter = new Converter(mode);
    this.warnings = warnings;
  }

  /** Converts one document; what cannot be converted is added to the problems, with its place. */
  Result convert(Manifest manifest, List<String> problems) {
    Json converted = convert(manifest.value(), manifest.place(), "", problems);
    return new Result(converted, manifest.format());
  }

  private @Nullable Json convert(
      Json value, Manifest.Place place, String path, List<String> problems) {
    if (!(value.opened() instanceof JsonObject object)) {
      problems.add(place.of(path) + ": " + value.type().words() + " (expected: an object)");
      return null;
    }
    JsonArray items = isList(object) ? object.array("items") : null;
    if (items != null) {
      return convertItems(object, items, place, problems);
    }
    if (isOurs(object)) {
      return convertObject(object, place, path, problems);
    }
    if (isOursButForItsVersion(object)) {
      warnings.accept(
          "%s: %s: no apiVersion of %s, so it is left as it is"
              .formatted(place.of(path), object.text("kind"), ApiVersion.GROUP));
    }
    return value;
  }

  /** A part of apiVersion is missing; kinds of other groups may have these names, too. */
  private static boolean isOursButForItsVersion(JsonObject object) {
    String version = object.text("apiVersion");
    String kind = object.text("kind");
    return (version == null || version.isEmpty() || version.equals(ApiVersion.GROUP))
        && kind != null
        && ApiKind.find(kind).isPresent();
  }

  /** Whether it is a list of any objects, as {@code kubectl get -o yaml} prints it. */
  private static boolean isList(JsonObject object) {
    String kind = object.text("kind");
    return kind != null && kind.endsWith("List") && object.has("items");
  }

  private static boolean isOurs(JsonObject object) {
    String version = object.text("apiVersion");
    return version != null && version.startsWith(ApiVersion.GROUP + "/");
  }

  private @Nullable Json convertItems(
      JsonObject list, JsonArray items, Manifest.Place place, List<String> problems) {
    JsonArray converted = new JsonArray();
    int before = problems.size();
    for (int i = 0; i < items.size(); i++) {
      Json item = convert(items.get(i), place, "items[" + i + "]", problems);
      if (item != null) {
        converted.add(item);
      }
    }
    list.put("items", converted);
    if (isOurs(list)) {
      list.put("apiVersion", dev.sluice.json.JsonSlice.text(to.groupVersion()));
    }
    return problems.size() == before ? list : null;
  }

  private @Nullable Json convertObject(
      JsonObject object, Manifest.Place place, String path, List<String> problems) {
    return switch (converter.convert(object, to)) {
      case Outcome.Converted converted -> {
        for (ConversionWarning warning : converted.warnings()) {
          warnings.accept(
              "%s: %s \"%s\": %s: %s"
                  .formatted(
                      place.of(path),
                      converted.kind(),
                      converted.name(),
                      warning.field(),
                      warning.detail()));
        }
        yield converted.object();
      }
      case Outcome.Refused refused -> {
        problems.add(place.of(path) + ": " + refused.message());
        yield null;
      }
    };
  }
}
