package dev.sluice.server.see;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers the requests to the visibility API: finds out who asks, whether the caller may read that,
 * and reads it. Safe for many threads; a call may block while the API server is asked.
 */
final class SeeAnswers implements SeeServer.Answers {
  private static final List<String> HEALTH = List.of("/healthz", "/livez", "/readyz");

  private final Supplier<Optional<QueueState>> states;
  private final Supplier<List<String>> missing;
  private final Callers callers;
  private final AccessReviews reviews;

  /**
   * Answers of a server.
   *
   * @param states what is shown; empty while it is not complete
   * @param missing what is not known yet, a phrase each; empty once the server is ready
   */
  SeeAnswers(
      Supplier<Optional<QueueState>> states,
      Supplier<List<String>> missing,
      Callers callers,
      AccessReviews reviews) {
    this.states = states;
    this.missing = missing;
    this.callers = callers;
    this.reviews = reviews;
  }

  @Override
  public Reply answer(SeeRequest request) {
    return HEALTH.contains(request.path()) ? health(request.path()) : known(request);
  }

  private Reply health(String path) {
    List<String> open = path.equals("/readyz") ? missing.get() : List.of();
    return open.isEmpty() ? Reply.sentence(200, "ok") : Reply.sentence(503, notYet(open));
  }

  private static String notYet(List<String> open) {
    return "not known yet: " + String.join("; ", open);
  }

  private Reply known(SeeRequest request) {
    return switch (callers.of(request.chain(), request.headers())) {
      case TokenReviews.Verdict.Known(Caller caller) -> of(caller, request);
      case TokenReviews.Verdict.Nobody _ -> nobody();
      case TokenReviews.Verdict.NotAnswered _ ->
          unavailable("the API server does not say who asks");
      case TokenReviews.Verdict.TooMany _ ->
          Reply.failure(429, "TooManyRequests", "too many unknown tokens; try again later");
    };
  }

  /** Whom to trust may not be known yet, and then a front proxy is nobody, too. */
  private Reply nobody() {
    List<String> open = missing.get();
    return open.isEmpty()
        ? Reply.failure(401, "Unauthorized", "Unauthorized")
        : unavailable(notYet(open));
  }

  private static Reply unavailable(String why) {
    return Reply.failure(503, "ServiceUnavailable", why);
  }

  private Reply of(Caller caller, SeeRequest request) {
    if (!request.method().equals("GET")) {
      return Reply.failure(
          405,
          "MethodNotAllowed",
          "the server does not allow this method on the requested resource");
    }
    Optional<VisibilityApi.Target> target =
        VisibilityApi.find(request.path(), request.header("accept"));
    if (target.isEmpty()) {
      return Reply.failure(404, "NotFound", "the server could not find the requested resource");
    }
    Attributes attributes = target.get().attributes();
    return switch (reviews.review(caller, attributes)) {
      case ALLOWED -> allowed(target.get(), request);
      case DENIED -> Reply.failure(403, "Forbidden", attributes.refusal(caller.user()));
      case UNKNOWN -> unavailable("the API server does not say who may ask this");
    };
  }

  private Reply allowed(VisibilityApi.Target target, SeeRequest request) {
    return switch (target) {
      case VisibilityApi.Document document -> Reply.ok(document.type(), document.content());
      case VisibilityApi.Line line ->
          states
              .get()
              .map(
                  state ->
                      isKnown(state.tag(), request.header("if-none-match"))
                          ? new Reply(304, Map.of("ETag", state.tag()), new byte[0])
                          : VisibilityApi.read(
                              line, state.snapshot(), request.query()::get, state.tag()))
              .orElseGet(() -> unavailable(notYet(missing.get())));
    };
  }

  /** Whether one of the tags that the client has is this one. */
  private static boolean isKnown(String tag, String tags) {
    return Arrays.stream(tags.split(",", -1))
        .map(String::strip)
        .anyMatch(it -> it.equals(tag) || it.equals("W/" + tag));
  }
}
