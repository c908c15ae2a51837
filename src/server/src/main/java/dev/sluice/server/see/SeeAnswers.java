package dev.sluice.server.see;

import dev.sluice.server.dashboard.DashboardFiles;
import dev.sluice.server.reply.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers the requests to the API: finds out who asks, whether the caller may read that, and reads
 * it. Safe for many threads; a call may block while the API server is asked, but never for the
 * engine.
 */
final class SeeAnswers implements SeeServer.Answers {
  private static final List<String> HEALTH = List.of("/healthz", "/livez", "/readyz");

  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Reply TOO_LONG = unavailable("the engine takes too long");

  private final QueueSource queues;
  private final Supplier<List<String>> missing;
  private final Callers callers;
  private final Reviews reviews;
  private final Views views;
  private final DashboardFiles files = DashboardFiles.load();

  /**
   * Answers of a server.
   *
   * @param queues what is shown
   * @param missing what is not known yet, a phrase each; empty once the server is ready
   */
  SeeAnswers(
      QueueSource queues,
      Supplier<List<String>> missing,
      Callers callers,
      Reviews reviews,
      Views views) {
    this.queues = queues;
    this.missing = missing;
    this.callers = callers;
    this.reviews = reviews;
    this.views = views;
  }

  @Override
  public CompletableFuture<Reply> answer(SeeRequest request) {
    if (HEALTH.contains(request.path())) {
      return CompletableFuture.completedFuture(health(request.path()));
    }
    return DashboardFiles.isBelow(request.path())
        ? CompletableFuture.completedFuture(file(request))
        : known(request);
  }

  private Reply file(SeeRequest request) {
    return files.answer(
        request.method(),
        request.path(),
        request.header("if-none-match"),
        request.header("accept-encoding"));
  }

  private Reply health(String path) {
    List<String> open = path.equals("/readyz") ? missing.get() : List.of();
    return open.isEmpty() ? Reply.sentence(200, "ok") : Reply.sentence(503, notYet(open));
  }

  private static String notYet(List<String> open) {
    return "not known yet: " + String.join("; ", open);
  }

  private CompletableFuture<Reply> known(SeeRequest request) {
    return switch (callers.of(request.chain(), request.headers())) {
      case TokenReviews.Verdict.Known(Caller caller) -> of(caller, request);
      case TokenReviews.Verdict.Nobody _ -> CompletableFuture.completedFuture(nobody());
      case TokenReviews.Verdict.NotAnswered _ ->
          CompletableFuture.completedFuture(unavailable("the API server does not say who asks"));
      case TokenReviews.Verdict.TooMany _ ->
          CompletableFuture.completedFuture(
              Reply.failure(429, "TooManyRequests", "too many unknown tokens; try again later"));
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

  /** The answer for a caller who is known. */
  CompletableFuture<Reply> of(Caller caller, SeeRequest request) {
    Optional<Target> target = ApiPaths.find(request.path(), request.header("accept"));
    if (!request.method().equals(target.map(Target::method).orElse("GET"))) {
      return refused(
          405,
          "MethodNotAllowed",
          "the server does not allow this method on the requested resource");
    }
    if (target.isEmpty()) {
      return refused(404, "NotFound", "the server could not find the requested resource");
    }
    Attributes attributes = target.get().attributes();
    return switch (reviews.review(caller, attributes)) {
      case ALLOWED -> allowed(target.get(), caller, request);
      case DENIED -> refused(403, "Forbidden", attributes.refusal(caller.user()));
      case UNKNOWN ->
          CompletableFuture.completedFuture(
              unavailable("the API server does not say who may ask this"));
    };
  }

  private static CompletableFuture<Reply> refused(int code, String reason, String message) {
    return CompletableFuture.completedFuture(Reply.failure(code, reason, message));
  }

  private CompletableFuture<Reply> allowed(Target target, Caller caller, SeeRequest request) {
    return switch (target) {
      case Target.Document document ->
          CompletableFuture.completedFuture(Reply.ok(document.type(), document.content()));
      case Target.Resource resource ->
          queues
              .state()
              .map(state -> read(resource, state, caller, request))
              .orElseGet(
                  () -> CompletableFuture.completedFuture(unavailable(notYet(missing.get()))));
    };
  }

  private CompletableFuture<Reply> read(
      Target.Resource resource, QueueState state, Caller caller, SeeRequest request) {
    return resource.group().equals(VisibilityApi.API)
        ? CompletableFuture.completedFuture(VisibilityApi.read(resource, state, request))
        : views
            .read(resource, state, caller, request)
            .completeOnTimeout(TOO_LONG, LONGEST.toSeconds(), TimeUnit.SECONDS);
  }
}
