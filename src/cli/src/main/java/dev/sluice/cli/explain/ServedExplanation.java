package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.explain.Explanation.Holder;
import dev.sluice.see.explain.Explanation.Level;
import dev.sluice.see.explain.Explanation.Remedy;
import dev.sluice.see.explain.Explanation.Shortage;
import dev.sluice.server.program.CommandException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** An explanation that a server of our API gives. */
final class ServedExplanation {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /** What came of asking. */
  sealed interface Asked {
    /**
     * The server answered.
     *
     * @param document the whole answer, which may have a forecast
     */
    record Explained(Explanation explanation, JsonNode document) implements Asked {}

    /** There is no server that answers this user; says why. */
    record NotServed(String why) implements Asked {}
  }

  private ServedExplanation() {}

  /**
   * Asks for it.
   *
   * @throws CommandException if the server knows no such Workload, or several
   */
  static Asked ask(ApiServer cluster, ObjectKey key) {
    String path =
        ViewServer.path(
            "namespaces/%s/workloads/%s/explanation"
                .formatted(ViewServer.encoded(key.namespace()), ViewServer.encoded(key.name())));
    Answer answer = cluster.send(Call.get(path, BOUND));
    boolean ofOurServer = ViewServer.isOfIt(answer);
    if (answer.status() == CONFLICT) {
      throw new CommandException(answer.message());
    }
    if (answer.status() == NOT_FOUND && ofOurServer) {
      throw new CommandException(
          key + ": there is no Workload of this name, and none that belongs to a job so named");
    }
    return answer.isSuccess()
        ? new Asked.Explained(read(answer.json()), answer.json())
        : new Asked.NotServed(
            answer.status() == NOT_FOUND ? "it serves no " + Domains.VIEW : answer.message());
  }

  static Explanation read(JsonNode document) {
    return new Explanation(
        key(document.path("workload")),
        document.path("phase").asText(),
        document.path("localQueue").asText(),
        document.path("clusterQueue").asText(),
        document.path("ahead").asInt(-1),
        document.path("because").asText(),
        list(document.path("shortages"), ServedExplanation::shortage),
        list(document.path("wakesOn"), JsonNode::asText),
        list(
            document.path("remedies"),
            it -> new Remedy(it.path("change").asText(), it.path("effect").asText())));
  }

  private static <T> List<T> list(JsonNode items, Function<JsonNode, T> reader) {
    return items.valueStream().map(reader).toList();
  }

  private static ObjectKey key(JsonNode name) {
    return new ObjectKey(name.path("namespace").asText(), name.path("name").asText());
  }

  private static Shortage shortage(JsonNode node) {
    return new Shortage(
        node.path("podSet").asText(),
        node.path("flavor").asText(),
        node.path("resource").asText(),
        node.path("requested").asText(),
        node.path("free").asText(),
        node.path("scarce").asText(),
        list(
            node.path("levels"),
            it ->
                new Level(
                    it.path("node").asText(),
                    it.path("nominal").asText(),
                    it.path("used").asText(),
                    it.path("free").asText())),
        list(node.path("holders"), ServedExplanation::holder));
  }

  private static Holder holder(JsonNode node) {
    return new Holder(
        node.path("namespace").isNull() ? null : key(node),
        node.path("workloads").asInt(1),
        node.path("clusterQueue").asText(),
        node.path("priority").asLong(),
        node.path("amount").asText());
  }
}
