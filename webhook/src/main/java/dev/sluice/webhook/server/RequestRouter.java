package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Receives requests: finds the endpoint by the exact path, answers at once what needs no body, and
 * passes the others to a {@link RequestExchange}. Runs on event loops; shared by all of them.
 */
final class RequestRouter {
  private static final String JSON = "application/json";

  private final Vertx vertx;
  private final Bounds bounds;
  private final InFlight inFlight;
  private final Workers workers;
  private final LongSupplier nanoTime;
  private final ClientCertificateGate clientGate;
  private final Router router;
  private final String paths;
  private final RequestMeters.OfPath others;
  private volatile boolean stopping;
  private volatile Asked asked = new Asked("", Optional.empty());

  /** An endpoint and what is measured of it. */
  private record Served(Endpoint endpoint, RequestMeters.OfPath meters) {}

  /** What a query asked for last: an API server says the same each time. */
  private record Asked(String query, Optional<Duration> timeout) {}

  RequestRouter(
      Vertx vertx,
      Bounds bounds,
      List<Endpoint> endpoints,
      Workers workers,
      LongSupplier nanoTime,
      MeterRegistry registry,
      ClientCertificateGate clientGate) {
    this.vertx = vertx;
    this.bounds = bounds;
    this.inFlight = new InFlight(bounds);
    this.workers = workers;
    this.nanoTime = nanoTime;
    this.clientGate = clientGate;
    RequestMeters meters = new RequestMeters(registry, inFlight);
    this.others = meters.of(RequestMeters.OTHER);
    this.paths = some(endpoints);
    this.router = Router.router(vertx);
    for (Endpoint endpoint : endpoints) {
      Served served = new Served(endpoint, meters.of(endpoint.path()));
      router.route(endpoint.path()).handler(context -> found(context.request(), served));
    }
    router.errorHandler(400, context -> serve(context.request(), null)); // the path is not readable
    router.errorHandler(404, context -> serve(context.request(), null));
    router.errorHandler(500, this::failed);
  }

  private static String some(List<Endpoint> endpoints) {
    return "one of %d, such as %s"
        .formatted(
            endpoints.size(),
            endpoints.stream().limit(3).map(Endpoint::path).collect(Collectors.joining(", ")));
  }

  /** Closes connections that are still in their handshake: Vert.x would wait for them. */
  void stop() {
    stopping = true;
  }

  void connected(HttpConnection connection) {
    if (!stopping) {
      OpenConnection.connected(connection);
      connection.closeHandler(_ -> clientGate.forget(connection));
      StreamWakeUp.watch(connection);
    } else {
      connection.close();
    }
  }

  void accept(HttpServerRequest request) {
    OpenConnection.accepted(request);
    router.handle(request);
  }

  /** The router also matches a path that only means the same, such as one with a slash more. */
  private void found(HttpServerRequest request, Served served) {
    serve(request, served.endpoint().path().equals(request.path()) ? served : null);
  }

  private void failed(RoutingContext context) {
    LoopErrors.report(context);
    HttpServerRequest request = context.request();
    if (!request.response().headWritten()) {
      new Reply(vertx, request, status -> others.answered(status, 0))
          .withoutBody(Answer.sentence(500, Answer.INTERNAL_ERROR), bounds.bodyTimeout());
    }
  }

  private void serve(HttpServerRequest request, @Nullable Served served) {
    long began = nanoTime.getAsLong();
    Endpoint endpoint = served == null ? null : served.endpoint();
    RequestMeters.OfPath meters = served == null ? others : served.meters();
    Reply reply =
        new Reply(vertx, request, status -> meters.answered(status, nanoTime.getAsLong() - began));
    Optional<Answer> objection = objection(request, endpoint);
    if (objection.isPresent() || endpoint == null) {
      reply.withoutBody(objection.orElseThrow(), bounds.bodyTimeout());
      return;
    }
    Duration timeout = timeout(request);
    Deadline deadline = Deadline.after(timeout, nanoTime);
    new RequestExchange(
            vertx, bounds, inFlight, workers, endpoint, timeout, deadline, request, reply)
        .begin();
  }

  private Duration timeout(HttpServerRequest request) {
    return askedTimeout(request)
        .filter(asked -> asked.compareTo(bounds.requestTimeout()) < 0)
        .orElse(bounds.requestTimeout());
  }

  private Optional<Duration> askedTimeout(HttpServerRequest request) {
    String query = request.query();
    if (query == null) {
      return Optional.empty();
    }
    Asked last = asked;
    if (!last.query().equals(query)) {
      last = new Asked(query, readTimeout(request));
      asked = last;
    }
    return last.timeout();
  }

  private static Optional<Duration> readTimeout(HttpServerRequest request) {
    try {
      return Optional.ofNullable(request.getParam("timeout")).flatMap(Deadline::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // a query that is not encoded well asks for nothing
    }
  }

  /** What speaks against the request before its body was read. */
  private Optional<Answer> objection(HttpServerRequest request, @Nullable Endpoint endpoint) {
    if (endpoint == null) {
      return say(404, "no such path (expected: " + paths + ")");
    }
    Optional<Answer> refused = clientGate.objection(request.connection(), endpoint);
    if (refused.isPresent()) {
      return refused;
    }
    if (!HttpMethod.POST.equals(request.method())) {
      request.response().putHeader("allow", "POST");
      return say(405, "method not allowed (expected: POST)");
    }
    String type = request.getHeader("content-type");
    if (!isJson(type)) {
      return say(
          415,
          "content-type: %s (expected: application/json)"
              .formatted(type == null ? "missing" : printable(type)));
    }
    String encoding = request.getHeader("content-encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      return say(415, "content-encoding: " + printable(encoding) + " (expected: none)");
    }
    return declaredLength(request).orElse(0) > bounds.maxBodyBytes()
        ? Optional.of(RequestExchange.tooLarge(bounds))
        : Optional.empty();
  }

  /** The announced length of the body; the body itself is counted in any case. */
  static OptionalLong declaredLength(HttpServerRequest request) {
    String length = request.getHeader("content-length");
    try {
      return length == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(length.trim()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    if (contentType.equals(JSON)) {
      return true; // so nearly always
    }
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return type.trim().toLowerCase(Locale.ROOT).equals(JSON);
  }

  private static Optional<Answer> say(int status, String sentence) {
    return Optional.of(Answer.sentence(status, sentence));
  }

  private static String printable(String text) {
    String brief = text.length() <= 80 ? text : text.substring(0, 80) + "...";
    return brief.replaceAll("[^ -~]", "?");
  }
}
