package dev.sluice.server.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.Manifest.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One object of a manifest. Immutable; any thread may use it.
 *
 * @param place where its document stands
 * @param prefix what stands before the paths of its fields: empty, or an item of a list
 * @param json the object as written
 * @param kind its kind
 */
public record ManifestObject(Place place, String prefix, JsonSlice json, GroupVersionKind kind) {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);

  /** The objects of a document: itself, or the items of a list. */
  public static List<ManifestObject> of(Manifest manifest) {
    JsonArray items = manifest.value().opened() instanceof JsonObject object ? items(object) : null;
    if (items == null) {
      return List.of(of(manifest.place(), "", manifest.value()));
    }
    List<ManifestObject> objects = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      objects.add(of(manifest.place(), "items[" + i + "].", items.get(i)));
    }
    return objects;
  }

  private static @Nullable JsonArray items(JsonObject object) {
    String kind = object.text("kind");
    return kind != null && kind.endsWith("List") ? object.array("items") : null;
  }

  private static ManifestObject of(Place place, String prefix, Json value) {
    String version = value.opened() instanceof JsonObject object ? object.text("apiVersion") : null;
    String kind = value.opened() instanceof JsonObject object ? object.text("kind") : null;
    return new ManifestObject(
        place,
        prefix,
        copy(value),
        GroupVersionKind.of(version == null ? "" : version, kind == null ? "" : kind));
  }

  private static JsonSlice copy(Json value) {
    JsonOutput out = new JsonOutput();
    value.writeTo(out);
    return out.toSlice();
  }

  /** Whether it is of the group whose kinds Sluice serves. */
  public boolean isOurs() {
    return kind.group().equals(ApiVersion.GROUP);
  }

  /** The kind, if Sluice serves it at that version. */
  public Optional<ApiKind> servedKind() {
    return isOurs()
        ? ApiKind.find(kind.kind()).filter(found -> version().filter(found::has).isPresent())
        : Optional.empty();
  }

  /** The version, if Sluice serves it. */
  public Optional<ApiVersion> version() {
    return ApiVersion.findByText(kind.version());
  }

  /** The object as a tree of the caller's own. */
  public JsonNode tree() {
    return parse(json);
  }

  /** The object as a tree of the caller's own; in a namespace, if it has to be in one. */
  public JsonNode tree(String defaultNamespace, boolean namespaced) {
    JsonNode tree = tree();
    if (namespaced
        && tree.get("metadata") instanceof ObjectNode metadata
        && metadata.path("namespace").asText().isEmpty()) {
      metadata.put("namespace", defaultNamespace);
    }
    return tree;
  }

  /** The place of a field of this object. */
  public String placeOf(String field) {
    return place.of(prefix + field);
  }

  private static JsonNode parse(JsonSlice json) {
    try {
      return MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked cannot be read", e);
    }
  }

  /** What the converter made, as a tree. */
  public static JsonNode tree(Json value) {
    return parse(copy(value));
  }

  /** The tree as the converter takes it. */
  public static JsonSlice slice(JsonNode tree) {
    try {
      return SYNTAX.check(MAPPER.writeValueAsBytes(tree));
    } catch (JsonProcessingException | MalformedJsonException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
