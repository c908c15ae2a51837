package dev.sluice.server.dashboard;

import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.server.reply.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Asks the API server what a page wants to know: reads of our own API, and simulations, which store
 * nothing. A call blocks until the answer is there. Safe for many threads.
 */
final class Forwarder implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(30);

  /**
   * Names of Kubernetes need no percent signs, and without these no path leads elsewhere. A query
   * has them for slashes and the like.
   */
  private static final Pattern READ =
      Pattern.compile(
          Pattern.quote(ViewGroup.ROOT)
              + "(?:/(?!\\.{1,2}(?:[/?]|$))[A-Za-z0-9._:-]+)+(?:\\?[A-Za-z0-9=&._%-]*)?");

  private static final Pattern SIMULATE =
      Pattern.compile(
          Pattern.quote(ViewGroup.ROOT)
              + "/(?:clustersimulations|namespaces/[A-Za-z0-9-]+/simulations)");

  private final Connection connection;

  Forwarder(Connection connection) {
    this.connection = connection;
  }

  /** Something that may be asked, with its path and query. */
  record Question(String method, String uri) {}

  /** The question, if it is one that is forwarded. */
  static Optional<Question> question(String method, String uri) {
    boolean isForwarded =
        switch (method) {
          case "GET" -> READ.matcher(uri).matches();
          case "POST" -> SIMULATE.matcher(uri).matches();
          default -> false;
        };
    return isForwarded ? Optional.of(new Question(method, uri)) : Optional.empty();
  }

  /**
   * The answer of the API server, or that there is none.
   *
   * @param knownTags what the page has already; empty for nothing
   */
  Reply ask(Question question, String knownTags, String body) {
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
  public void close() {
    connection.close();
  }
}
