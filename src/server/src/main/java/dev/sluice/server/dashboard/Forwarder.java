package dev.sluice.server.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.server.reply.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks the API server what a page wants to know: reads of our own API, and simulations, which store
 * nothing. A call blocks until the answer is there. Safe for many threads.
 */
final class Forwarder implements Questions {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final Connection connection;

  Forwarder(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Reply ask(Question question, String knownTags, String body) {
    Connection.Answer answer;
    try {
      answer =
          question.method().equals("POST")
              ? connection.call(
                  "POST", question.uri(), Connection.JSON, Connection.JSON, body, BOUND)
              : connection.getUnlessKnown(question.uri(), knownTags, BOUND);
    } catch (ConnectionException e) {
      return JsonAnswers.failure(
          502, "BadGateway", "the API server cannot be reached: " + e.getMessage());
    }
    Map<String, String> headers = new LinkedHashMap<>();
    answer.tag().ifPresent(it -> headers.put("ETag", it));
    answer.retryAfter().ifPresent(it -> headers.put("Retry-After", it));
    return JsonAnswers.of(answer.status(), answer.body(), headers);
  }

  @Override
  public ObjectNode source() {
    return JsonNodeFactory.instance.objectNode().put("reads", "view.sluice.dev");
  }

  @Override
  public void close() {
    connection.close();
  }
}
