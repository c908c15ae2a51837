package dev.sluice.server.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an apply of documents would change in a cluster. The API server itself says what each
 * document would become, in a dry run, so its defaults are no differences. Nothing is changed. For
 * one thread.
 */
final class ClusterComparison {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String MANAGER = "sluice-install";
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final String LABEL = "?labelSelector=app.kubernetes.io%2Fpart-of%3Dsluice";
  private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final String REVISION = "deployment.kubernetes.io/revision";
  private static final String SECRET = "Secret";

  /** What the API server writes into each object. */
  private static final List<String> WRITTEN =
      List.of("managedFields", "resourceVersion", "generation", "uid", "creationTimestamp");

  private final Connection connection;
  private final Map<String, JsonNode> discovered = new HashMap<>();
  private final List<String> lines = new ArrayList<>();

  /** Where objects of a kind are. */
  private record Collection(String group, String plural, boolean isNamespaced) {
    private String in(String namespace) {
      return isNamespaced
          ? group + "/namespaces/" + namespace + "/" + plural
          : group + "/" + plural;
    }
  }

  ClusterComparison(Connection connection) {
    this.connection = connection;
  }

  /**
   * The differences, for people; empty if the cluster has all of it and nothing else of Sluice.
   *
   * @param documents what would be applied
   * @param possible what could be installed by other choices; of these kinds nothing else may be
   *     there
   * @throws CommandException if the API server refuses to say
   * @throws dev.sluice.cluster.api.ConnectionException if it does not answer
   */
  List<String> differences(List<ObjectNode> documents, List<ObjectNode> possible) {
    Set<String> applied = new HashSet<>();
    for (ObjectNode document : documents) {
      Optional<String> folder = folder(document);
      if (folder.isPresent()) {
        String path = folder.get() + "/" + document.at("/metadata/name").asText();
        applied.add(path);
        compare(name(document), path, document);
      } else {
        lines.add("! %s: the cluster does not serve its kind".formatted(name(document)));
      }
    }
    Stream.concat(documents.stream(), possible.stream())
        .filter(it -> !it.path("kind").asText().equals(SECRET)) // servers have written them
        .flatMap(it -> folder(it).stream())
        .distinct()
        .forEach(folder -> others(folder, applied));
    return List.copyOf(lines);
  }

  /** The path of all objects of that kind in that namespace; empty if it is not served. */
  private Optional<String> folder(JsonNode document) {
    String namespace = document.at("/metadata/namespace").asText();
    return collection(document).map(it -> it.in(namespace));
  }

  private static String name(JsonNode document) {
    String namespace = document.at("/metadata/namespace").asText();
    return document.path("kind").asText()
        + " "
        + (namespace.isEmpty() ? "" : namespace + "/")
        + document.at("/metadata/name").asText();
  }

  private void compare(String object, String path, ObjectNode document) {
    Connection.Answer found = connection.call("GET", path, Connection.JSON, null, null, BOUND);
    if (found.status() == 404) {
      lines.add("+ %s: is new".formatted(object));
      return;
    }
    ObjectNode live = read(object, found);
    Connection.Answer applied =
        connection.call(
            "PATCH",
            path + "?dryRun=All&force=true&fieldManager=" + MANAGER,
            Connection.JSON,
            APPLY,
            document.toString(),
            BOUND);
    if (!applied.isSuccess()) {
      lines.add("! %s: would be refused: %s".formatted(object, applied.message()));
      return;
    }
    ObjectNode wanted = read(object, applied);
    ObjectDifference.removeAbandoned(wanted, lastApplied(live), document);
    List<String> differences = ObjectDifference.lines(essence(live), essence(wanted));
    if (!differences.isEmpty()) {
      lines.add("~ " + object);
      differences.forEach(it -> lines.add("    " + it));
    }
  }

  /** What is labelled as ours and would not be applied. */
  private void others(String folder, Set<String> applied) {
    Connection.Answer answer =
        connection.call("GET", folder + LABEL, Connection.JSON, null, null, BOUND);
    for (JsonNode item : read(folder, answer).path("items")) {
      String path = folder + "/" + item.at("/metadata/name").asText();
      if (!applied.contains(path)) {
        lines.add("- %s: is in the cluster, and not part of this".formatted(path));
      }
    }
  }

  private Optional<Collection> collection(JsonNode document) {
    String apiVersion = document.path("apiVersion").asText();
    String group = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    for (JsonNode resource : discovered.computeIfAbsent(group, this::discover).path("resources")) {
      String plural = resource.path("name").asText();
      if (resource.path("kind").equals(document.path("kind")) && !plural.contains("/")) {
        return Optional.of(new Collection(group, plural, resource.path("namespaced").asBoolean()));
      }
    }
    return Optional.empty();
  }

  private JsonNode discover(String group) {
    Connection.Answer answer = connection.call("GET", group, Connection.JSON, null, null, BOUND);
    return answer.status() == 404 ? JSON.createObjectNode() : read(group, answer);
  }

  private static ObjectNode read(String what, Connection.Answer answer) {
    if (!answer.isSuccess()) {
      throw new CommandException(what + ": cannot be compared: " + answer.message());
    }
    try {
      return (ObjectNode) JSON.readTree(answer.body());
    } catch (IOException | ClassCastException e) {
      throw new CommandException(what + ": the answer of the API server is no object", e);
    }
  }

  private static JsonNode lastApplied(JsonNode live) {
    try {
      return JSON.readTree(live.at("/metadata/annotations").path(APPLIED).asText("{}"));
    } catch (JsonProcessingException _) {
      return JSON.createObjectNode(); // somebody else's annotation
    }
  }

  /** Without what others write: the API server, controllers, and kubectl. No data of Secrets. */
  private static ObjectNode essence(ObjectNode object) {
    object.remove("status");
    if (object.path("kind").asText().equals(SECRET)) {
      object.remove("data");
    }
    if (object.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(WRITTEN);
      if (metadata.path("annotations") instanceof ObjectNode annotations) {
        annotations.remove(List.of(APPLIED, REVISION));
        if (annotations.isEmpty()) {
          metadata.remove("annotations");
        }
      }
    }
    return object;
  }
}
