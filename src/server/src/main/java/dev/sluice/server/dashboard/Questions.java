package dev.sluice.server.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.server.reply.Reply;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers what pages want to know: reads of our own API, and simulations, which store nothing. Safe
 * for many threads.
 */
public interface Questions extends AutoCloseable {
  /**
   * Something that may be asked.
   *
   * @param method GET or POST
   * @param uri path and query, encoded
   */
  record Question(String method, String uri) {
    /** Names of Kubernetes need no percent signs, and without these no path leads elsewhere. */
    private static final Pattern READ =
        Pattern.compile(
            Pattern.quote(ViewGroup.ROOT)
                + "(?:/(?!\\.{1,2}(?:[/?]|$))[A-Za-z0-9._:-]+)+(?:\\?[A-Za-z0-9=&._%-]*)?");

    private static final Pattern SIMULATE =
        Pattern.compile(
            Pattern.quote(ViewGroup.ROOT)
                + "/(?:clustersimulations|namespaces/[A-Za-z0-9-]+/simulations)");

    /** The question, if it is one that is answered. */
    static Optional<Question> of(String method, String uri) {
      boolean isAnswered =
          switch (method) {
            case "GET" -> READ.matcher(uri).matches();
            case "POST" -> SIMULATE.matcher(uri).matches();
            default -> false;
          };
      return isAnswered ? Optional.of(new Question(method, uri)) : Optional.empty();
    }
  }

  /**
   * The answer, or that there is none; blocks until it is there.
   *
   * @param knownTags what the page has already; empty for nothing
   */
  Reply ask(Question question, String knownTags, String body);

  /**
   * The answer, if it is known without work; returns at once. Most polls ask for what has not
   * changed.
   */
  default Optional<Reply> atHand(Question question, String knownTags) {
    return Optional.empty();
  }

  /** Where answers come from, and what they lack. */
  ObjectNode source();

  /** Ends it; does not throw. */
  @Override
  void close();
}
