package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.program.Version;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.reply.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;

/**
 * What is served, as OpenAPI describes it, in both of its versions. An API server merges these
 * documents with its own, so all their names are of our groups.
 */
final class OpenApi {
  /** The list of the documents of the third version; those are below it. */
  static final String V3 = "/openapi/v3";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String REFERENCE = "$ref";

  private OpenApi() {}

  /** One document for all, of the second version. */
  static ObjectNode v2() {
    ObjectNode document = JSON.objectNode().put("swagger", "2.0");
    addInfo(document);
    ObjectNode paths = document.putObject("paths");
    ObjectNode definitions = document.putObject("definitions");
    for (ApiGroup group : ApiGroup.ALL) {
      for (String version : group.versions()) {
        addPaths(paths, group, version, false);
        addSchemas(definitions, group, version, "#/definitions/");
      }
    }
    return document;
  }

  /** The list of documents of the third version, one for each version of each group. */
  static ObjectNode v3() {
    ObjectNode list = JSON.objectNode();
    ObjectNode paths = list.putObject("paths");
    for (ApiGroup group : ApiGroup.ALL) {
      for (String version : group.versions()) {
        String hash = Sha256.hex(v3(group, version).toString());
        paths
            .putObject(path(group, version).substring(V3.length() + 1))
            .put("serverRelativeURL", path(group, version) + "?hash=" + hash);
      }
    }
    return list;
  }

  /** The path of the document of that version of the group. */
  static String path(ApiGroup group, String version) {
    return V3 + group.root() + "/" + version;
  }

  /** The document of that version of the group. */
  static ObjectNode v3(ApiGroup group, String version) {
    ObjectNode document = JSON.objectNode().put("openapi", "3.0.0");
    addInfo(document);
    addPaths(document.putObject("paths"), group, version, true);
    addSchemas(
        document.putObject("components").putObject("schemas"),
        group,
        version,
        "#/components/schemas/");
    return document;
  }

  private static void addInfo(ObjectNode document) {
    document.putObject("info").put("title", "Sluice").put("version", Version.number());
  }

  private static void addPaths(ObjectNode paths, ApiGroup group, String version, boolean third) {
    for (ApiResource resource : group.resources()) {
      String path =
          "%s/%s%s/%s%s"
              .formatted(
                  group.root(),
                  version,
                  resource.namespaced() ? "/namespaces/{namespace}" : "",
                  resource.plural(),
                  resource.hasSubresource() ? "/{name}/" + resource.subresource() : "");
      addPath(paths.putObject(path), group, version, resource, third);
    }
  }

  private static void addPath(
      ObjectNode item, ApiGroup group, String version, ApiResource resource, boolean third) {
    String method = resource.method().toLowerCase(Locale.ROOT);
    ObjectNode operation = item.putObject(method);
    operation.put("description", resource.description());
    operation.put(
        "operationId",
        "%s%s%s%s%s"
            .formatted(
                resource.verb(),
                group.schemaPrefix().replace(".", "").replace("-", ""),
                version,
                resource.plural(),
                resource.subresource()));
    String reference =
        (third ? "#/components/schemas/" : "#/definitions/")
            + schema(group, version, resource.kind());
    ObjectNode answer = operation.putObject("responses").putObject("200").put("description", "OK");
    if (third) {
      content(answer, reference);
    } else {
      operation.putArray("produces").add(Reply.JSON);
      operation.putArray("schemes").add("https");
      answer.putObject("schema").put(REFERENCE, reference);
    }
    operation.put("x-kubernetes-action", resource.verb().equals("create") ? "post" : "get");
    operation.set("x-kubernetes-group-version-kind", kind(group, version, resource.kind()));
    ArrayNode parameters = item.putArray("parameters");
    if (resource.hasSubresource()) {
      addParameter(parameters, "name", "path", "string", third);
    }
    if (resource.namespaced()) {
      addParameter(parameters, "namespace", "path", "string", third);
    }
    resource
        .parameters()
        .forEach(it -> addParameter(parameters, it.name(), "query", it.type(), third));
    if (resource.verb().equals(ApiResource.CREATE)) {
      addBody(operation, parameters, reference, third);
    }
  }

  private static void content(ObjectNode owner, String reference) {
    owner.putObject("content").putObject(Reply.JSON).putObject("schema").put(REFERENCE, reference);
  }

  private static void addBody(
      ObjectNode operation, ArrayNode parameters, String reference, boolean third) {
    if (third) {
      content(operation.putObject("requestBody").put("required", true), reference);
    } else {
      operation.putArray("consumes").add(Reply.JSON);
      ObjectNode body = parameters.addObject().put("name", "body").put("in", "body");
      body.put("required", true).putObject("schema").put(REFERENCE, reference);
    }
  }

  private static void addParameter(
      ArrayNode parameters, String name, String in, String type, boolean third) {
    ObjectNode parameter = parameters.addObject().put("name", name).put("in", in);
    if (in.equals("path")) {
      parameter.put("required", true);
    }
    if (third) {
      parameter.putObject("schema").put("type", type);
    } else {
      parameter.put("type", type);
    }
  }

  /** The schemas of the file of the group, with their names and references made unique. */
  private static void addSchemas(
      ObjectNode schemas, ApiGroup group, String version, String references) {
    for (var schema : file(group).properties()) {
      ObjectNode copy = (ObjectNode) schema.getValue();
      for (JsonNode owner : copy.findParents(REFERENCE)) {
        String name = owner.path(REFERENCE).asText();
        ((ObjectNode) owner).put(REFERENCE, references + schema(group, version, name));
      }
      if (copy.path("properties").has("apiVersion")) {
        copy.putArray("x-kubernetes-group-version-kind").add(kind(group, version, schema.getKey()));
      }
      schemas.set(schema(group, version, schema.getKey()), copy);
    }
  }

  private static ObjectNode file(ApiGroup group) {
    try (InputStream in = OpenApi.class.getResourceAsStream(group.name() + ".json")) {
      return (ObjectNode) new ObjectMapper().readTree(Objects.requireNonNull(in, group.name()));
    } catch (IOException e) {
      throw new UncheckedIOException("the schemas of " + group.name() + " cannot be read", e);
    }
  }

  private static String schema(ApiGroup group, String version, String name) {
    return group.schemaPrefix() + "." + version + "." + name;
  }

  private static ObjectNode kind(ApiGroup group, String version, String kind) {
    return JSON.objectNode().put("group", group.name()).put("version", version).put("kind", kind);
  }
}
