package dev.sluice.manifests.generate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the CustomResourceDefinition of a kind from its kind file. */
final class CrdBuilder {

  private static final Set<String> KEYS =
      Set.of(
          "kind",
          "plural",
          "shortNames",
          "scope",
          "status",
          "conversion",
          "versions",
          "columns",
          "selectable",
          "schema");

  private final ObjectNode definitions;

  /** A builder for files that use these definitions, which it does not change. */
  CrdBuilder(ObjectNode definitions) {
    this.definitions = definitions;
  }

  /**
   * The definition of the kind that a file describes. It has no CA bundle: that is known when it is
   * installed.
   *
   * @throws IllegalArgumentException if the file says something that is not understood
   */
  ObjectNode build(ObjectNode file) {
    requireKnownKeys(file);
    ObjectNode crd = object();
    crd.put("apiVersion", "apiextensions.k8s.io/v1");
    crd.put("kind", "CustomResourceDefinition");
    ObjectNode metadata = crd.putObject("metadata");
    metadata.put("name", text(file, "plural") + "." + ApiVersion.GROUP);
    metadata.putObject("labels").put("app.kubernetes.io/part-of", "sluice");
    ObjectNode spec = crd.putObject("spec");
    spec.put("group", ApiVersion.GROUP);
    spec.set("names", names(file));
    spec.put("scope", text(file, "scope"));
    if (file.path("conversion").asBoolean()) {
      spec.set("conversion", conversion());
    }
    spec.set("versions", versions(file));
    return crd;
  }

  private static void requireKnownKeys(ObjectNode file) {
    file.fieldNames()
        .forEachRemaining(
            key -> {
              if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(key + " (expected: one of " + KEYS + ")");
              }
            });
  }

  private static ObjectNode names(ObjectNode file) {
    String kind = text(file, "kind");
    ObjectNode names = object();
    names.put("kind", kind);
    names.put("listKind", kind + "List");
    names.put("plural", text(file, "plural"));
    names.put("singular", kind.toLowerCase(Locale.ROOT));
    names.set("shortNames", file.path("shortNames").deepCopy());
    return names;
  }

  private static ObjectNode conversion() {
    ObjectNode conversion = object();
    conversion.put("strategy", "Webhook");
    ObjectNode webhook = conversion.putObject("webhook");
    webhook.putArray("conversionReviewVersions").add("v1");
    ObjectNode service = webhook.putObject("clientConfig").putObject("service");
    service.put("namespace", "sluice-system");
    service.put("name", "sluice-webhook");
    service.put("path", "/convert");
    service.put("port", 443);
    return conversion;
  }

  private ArrayNode versions(ObjectNode file) {
    ArrayNode versions = JsonNodeFactory.instance.arrayNode();
    for (Map.Entry<String, JsonNode> entry : file.path("versions").properties()) {
      ApiVersion version =
          ApiVersion.findByText(entry.getKey())
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "versions: " + entry.getKey() + " (expected: a version of the API)"));
      versions.add(version(file, version, entry.getValue()));
    }
    return versions;
  }

  private ObjectNode version(ObjectNode file, ApiVersion version, JsonNode facts) {
    ObjectNode built = object();
    built.put("name", version.text());
    built.put("served", true);
    built.put("storage", version == ApiVersion.HUB);
    if (facts.has("deprecated")) {
      built.put("deprecated", true);
      built.set("deprecationWarning", facts.get("deprecated"));
    }
    if (file.path("status").asBoolean()) {
      built.putObject("subresources").putObject("status");
    }
    VersionView view = new VersionView(version);
    addList(view, file, "columns", "additionalPrinterColumns", built);
    addList(view, file, "selectable", "selectableFields", built);
    built.putObject("schema").set("openAPIV3Schema", schema(file, view));
    return built;
  }

  private static void addList(
      VersionView view, ObjectNode file, String key, String name, ObjectNode version) {
    JsonNode list = view.of(file.path(key)).orElseThrow();
    if (!list.isEmpty()) {
      version.set(name, list);
    }
  }

  private ObjectNode schema(ObjectNode file, VersionView view) {
    ObjectNode root = (ObjectNode) view.of(file.path("schema")).orElseThrow();
    ObjectNode fields = object();
    fields.set("apiVersion", field("string", "API group and version of this object."));
    fields.set("kind", field("string", "Kind of this object: " + text(file, "kind") + "."));
    fields.putObject("metadata").put("type", "object"); // may not say more, nor be described
    fields.setAll((ObjectNode) root.path("fields"));
    root.set("fields", fields);
    return new SchemaBuilder((ObjectNode) view.of(definitions).orElseThrow()).build(root);
  }

  private static ObjectNode field(String type, String description) {
    return object().put("type", type).put("description", description);
  }

  private static String text(ObjectNode file, String key) {
    JsonNode value = file.path(key);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: a text)");
    }
    return value.textValue();
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
