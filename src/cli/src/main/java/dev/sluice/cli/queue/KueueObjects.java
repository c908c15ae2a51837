package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.Pages;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.server.program.CommandException;
import java.time.Duration;

/** Objects of kueue.x-k8s.io in a cluster. */
final class KueueObjects {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private KueueObjects() {}

  /**
   * All objects of a kind.
   *
   * @param namespace of these; of all if it is empty
   * @throws CommandException if they cannot be read
   */
  static JsonNode list(ApiServer server, ApiKind kind, String namespace) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    ArrayNode items = list.putArray("items");
    Pages.each(
            path -> server.send(Call.get(path, BOUND)),
            collection(kind, namespace),
            "",
            Pages.SIZE,
            items::add)
        .ifPresent(
            refusal -> {
              throw new CommandException(kind.plural() + ": " + refusal.message());
            });
    return list;
  }

  /** One object. */
  static JsonNode get(ApiServer server, ApiKind kind, String namespace, String name) {
    return orThrow(server.send(Call.get(path(kind, namespace, name), BOUND)), name).json();
  }

  /**
   * Changes an object.
   *
   * @param dryRun whether the API server only checks it
   */
  static void merge(
      ApiServer server, ApiKind kind, String namespace, String name, String patch, boolean dryRun) {
    String path = path(kind, namespace, name) + (dryRun ? "?dryRun=All" : "");
    orThrow(server.send(Call.mergePatch(path, patch, BOUND)), name);
  }

  private static Answer orThrow(Answer answer, String name) {
    if (!answer.isSuccess()) {
      throw new CommandException(name + ": " + answer.message());
    }
    return answer;
  }

  private static String path(ApiKind kind, String namespace, String name) {
    return collection(kind, namespace) + "/" + ViewServer.encoded(name);
  }

  private static String collection(ApiKind kind, String namespace) {
    return "/apis/%s/%s/%s%s"
        .formatted(
            ApiVersion.GROUP,
            ApiVersion.HUB.text(),
            namespace.isEmpty() ? "" : "namespaces/" + ViewServer.encoded(namespace) + "/",
            kind.plural());
  }
}
