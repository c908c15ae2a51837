package dev.sluice.cli.doctor.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Calls with one bound for each, retried a few times if the server wants a moment: it does after a
 * definition was changed. An object that several checks read is fetched once. For one thread.
 */
public final class Cluster {
  private static final int TRIES = 4;

  private final ApiServer server;
  private final Duration bound;
  private final Map<String, Answer> answers = new HashMap<>();

  /**
   * A cluster of which nothing is known yet.
   *
   * @param bound how long each call may take
   */
  public Cluster(ApiServer server, Duration bound) {
    this.server = server;
    this.bound = bound;
  }

  /** What the server said when it was first asked. */
  public Answer get(String path) {
    return answers.computeIfAbsent(path, this::fetch);
  }

  /** What the server says now, which is not kept: for pages of a long list. */
  public Answer fetch(String path) {
    return send(Call.get(path, bound));
  }

  /** The metadata of an object alone. */
  public Answer metadata(String path) {
    return send(Call.get(path, bound).accepting(ApiServer.METADATA_ONLY));
  }

  /** Deletes the object, if it is still as it was seen. */
  public Answer delete(String path, JsonNode seen) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options
        .putObject("preconditions")
        .put("uid", seen.at("/metadata/uid").asText())
        .put("resourceVersion", seen.at("/metadata/resourceVersion").asText());
    return send(
        new Call("DELETE", path, ApiServer.JSON, ApiServer.JSON, options.toString(), bound));
  }

  /** Creates something. */
  public Answer post(String path, String body) {
    return send(Call.post(path, body, bound));
  }

  private Answer send(Call call) {
    Answer answer = server.send(call);
    for (int tries = 1; answer.status() == 429 && tries < TRIES; tries++) {
      pause(answer.retryAfter().orElse(Duration.ofSeconds(1)));
      answer = server.send(call);
    }
    return answer;
  }

  private void pause(Duration asked) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.min(asked.toNanos(), bound.toNanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(ClusterException.Reason.INTERRUPTED, "interrupted", e);
    }
  }

  /** What the API server serves of that group and version. */
  public Answer resources(GroupVersionKind type) {
    return get((type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion());
  }

  /** Whether a kind with that plural is among such resources. */
  public static boolean lists(Answer resources, String plural) {
    return resources.json().path("resources").findValuesAsText("name").contains(plural);
  }
}
