package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.program.Version;

/**
 * What is served, as OpenAPI describes it, in both of its versions. An API server merges these
 * documents with its own, so all their names are of this group.
 */
final class OpenApi {
  /** The list of the documents of the third version; those are below it. */
  static final String V3 = "/openapi/v3";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String SCHEMA = "io.x-k8s.kueue.visibility.%s.%s";
  private static final String ITEM = "PendingWorkload";
  private static final String ROOT = "apis/" + VisibilityApi.GROUP;

  private OpenApi() {}

  /** One document for all, of the second version. */
  static ObjectNode v2() {
    ObjectNode document = JSON.objectNode().put("swagger", "2.0");
    addInfo(document);
    ObjectNode paths = document.putObject("paths");
    ObjectNode definitions = document.putObject("definitions");
    for (String version : VisibilityApi.VERSIONS) {
      addPaths(paths, version, false);
      addSchemas(definitions, version, "#/definitions/");
    }
    return document;
  }

  /** The list of documents of the third version, one for each version of the group. */
  static ObjectNode v3() {
    ObjectNode list = JSON.objectNode();
    ObjectNode paths = list.putObject("paths");
    for (String version : VisibilityApi.VERSIONS) {
      String path = ROOT + "/" + version;
      paths
          .putObject(path)
          .put(
              "serverRelativeURL",
              V3 + "/" + path + "?hash=" + ReviewClient.key(v3(version).toString()));
    }
    return list;
  }

  /** The path of the document of that version of the group. */
  static String path(String version) {
    return V3 + "/" + ROOT + "/" + version;
  }

  /** The document of that version of the group. */
  static ObjectNode v3(String version) {
    ObjectNode document = JSON.objectNode().put("openapi", "3.0.0");
    addInfo(document);
    addPaths(document.putObject("paths"), version, true);
    addSchemas(
        document.putObject("components").putObject("schemas"), version, "#/components/schemas/");
    return document;
  }

  private static void addInfo(ObjectNode document) {
    document.putObject("info").put("title", "Sluice").put("version", Version.number());
  }

  private static void addPaths(ObjectNode paths, String version, boolean third) {
    String root = "/" + ROOT + "/" + version;
    addPath(paths, root + "/clusterqueues/{name}/" + VisibilityApi.PENDING, version, third);
    addPath(
        paths,
        root + "/namespaces/{namespace}/localqueues/{name}/" + VisibilityApi.PENDING,
        version,
        third);
  }

  private static void addPath(ObjectNode paths, String path, String version, boolean third) {
    boolean namespaced = path.contains("{namespace}");
    ObjectNode item = paths.putObject(path);
    ObjectNode get = item.putObject("get");
    get.put("description", "Lists the workloads that wait in the queue, in order.");
    get.put(
        "operationId",
        "readVisibility%s%sPendingWorkloads"
            .formatted(version, namespaced ? "LocalQueue" : "ClusterQueue"));
    ObjectNode answer = get.putObject("responses").putObject("200").put("description", "OK");
    String reference =
        (third ? "#/components/schemas/" : "#/definitions/")
            + SCHEMA.formatted(version, VisibilityApi.SUMMARY);
    if (third) {
      answer.putObject("content").putObject(Reply.JSON).putObject("schema").put("$ref", reference);
    } else {
      get.putArray("produces").add(Reply.JSON);
      get.putArray("schemes").add("https");
      answer.putObject("schema").put("$ref", reference);
    }
    get.put("x-kubernetes-action", "get");
    get.set("x-kubernetes-group-version-kind", kind(version));
    ArrayNode parameters = item.putArray("parameters");
    addParameter(parameters, "name", "path", "string", third);
    if (namespaced) {
      addParameter(parameters, "namespace", "path", "string", third);
    }
    addParameter(parameters, "limit", "query", "integer", third);
    addParameter(parameters, "offset", "query", "integer", third);
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

  private static void addSchemas(ObjectNode schemas, String version, String references) {
    ObjectNode item = object(schemas, version, ITEM, "A workload that waits.");
    ObjectNode properties = (ObjectNode) item.path("properties");
    properties.putObject("metadata").put("type", "object");
    addInteger(properties, "priority");
    properties.putObject("localQueueName").put("type", "string");
    addInteger(properties, "positionInClusterQueue");
    addInteger(properties, "positionInLocalQueue");

    ObjectNode summary =
        object(schemas, version, VisibilityApi.SUMMARY, "The workloads that wait in a queue.");
    ObjectNode members = (ObjectNode) summary.path("properties");
    members.putObject("apiVersion").put("type", "string");
    members.putObject("kind").put("type", "string");
    members.putObject("metadata").put("type", "object");
    members
        .putObject("items")
        .put("type", "array")
        .putObject("items")
        .put("$ref", references + SCHEMA.formatted(version, ITEM));
    summary.putArray("required").add("items");
    summary.putArray("x-kubernetes-group-version-kind").add(kind(version));
  }

  private static ObjectNode object(
      ObjectNode schemas, String version, String name, String description) {
    ObjectNode schema = schemas.putObject(SCHEMA.formatted(version, name));
    schema.put("type", "object").put("description", description).putObject("properties");
    return schema;
  }

  private static void addInteger(ObjectNode properties, String name) {
    properties.putObject(name).put("type", "integer").put("format", "int32");
  }

  private static ObjectNode kind(String version) {
    return JSON.objectNode()
        .put("group", VisibilityApi.GROUP)
        .put("version", version)
        .put("kind", VisibilityApi.SUMMARY);
  }
}
