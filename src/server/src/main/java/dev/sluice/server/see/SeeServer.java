package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.PermissiveTrustManager;
import dev.sluice.cluster.api.Connection;
import dev.sluice.quota.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the visibility API over HTTPS to the aggregation layer of an API server. Each request is
 * authenticated by the front proxy's certificate and headers, and authorized by the API server.
 */
final class SeeServer {
  private static final Logger LOG = LoggerFactory.getLogger(SeeServer.class);
  private static final int LONGEST_LINE = 8 << 10;
  private static final int STREAMS = 1_000;

  private final Vertx vertx;
  private final Supplier<Optional<Snapshot>> snapshots;
  private final Supplier<Optional<FrontProxy>> frontProxy;
  private final AccessReviews reviews;
  private final HttpServer server;

  /**
   * A server that does not listen yet.
   *
   * @param snapshots the state that is shown; empty while it is not complete
   * @param frontProxy whose headers are believed; empty while that is not known
   */
  SeeServer(
      Vertx vertx,
      String host,
      int port,
      X509KeyManager keys,
      Connection connection,
      Supplier<Optional<Snapshot>> snapshots,
      Supplier<Optional<FrontProxy>> frontProxy) {
    this.vertx = vertx;
    this.snapshots = snapshots;
    this.frontProxy = frontProxy;
    this.reviews = new AccessReviews(connection, System::nanoTime);
    this.server = vertx.createHttpServer(options(host, port, keys)).requestHandler(this::accept);
  }

  /** The handshake asks for a certificate of any authority: who asks is decided by request. */
  private static HttpServerOptions options(String host, int port, X509KeyManager keys) {
    var options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setSsl(true)
            .setUseAlpn(true)
            .setKeyCertOptions(KeyCertOptions.wrap(keys))
            .setClientAuth(ClientAuth.REQUEST)
            .setTrustOptions(
                TrustOptions.wrap(PermissiveTrustManager.ofClients(() -> new X509Certificate[0])))
            .setMaxInitialLineLength(LONGEST_LINE);
    options.getInitialSettings().setMaxConcurrentStreams(STREAMS);
    return options;
  }

  /** Starts to listen; answers the port. */
  Future<Integer> listen() {
    return server.listen().map(HttpServer::actualPort);
  }

  Future<Void> close() {
    return server.close();
  }

  private void accept(HttpServerRequest request) {
    List<X509Certificate> chain = chain(request.sslSession());
    Map<String, List<String>> headers = headers(request);
    String asked = request.path();
    String path = asked == null ? "" : asked;
    HttpMethod method = request.method();
    var _ =
        vertx
            .executeBlocking(() -> answer(method, path, chain, headers, request::getParam), false)
            .otherwise(
                e -> {
                  LOG.warn("{} {} could not be answered", method, path, e);
                  return Reply.failure(500, "InternalError", "the request could not be answered");
                })
            .onSuccess(reply -> send(request, reply));
  }

  private static void send(HttpServerRequest request, Reply reply) {
    var response = request.response().setStatusCode(reply.status());
    if (reply.status() == 503) {
      response.putHeader("Retry-After", "1");
    }
    var _ =
        response
            .putHeader("Content-Type", "application/json")
            .end(Buffer.buffer(reply.body().toString().getBytes(UTF_8)));
  }

  private Reply answer(
      HttpMethod method,
      String path,
      List<X509Certificate> chain,
      Map<String, List<String>> headers,
      Function<String, @Nullable String> query) {
    Optional<Caller> caller = frontProxy.get().flatMap(it -> it.caller(chain, headers));
    if (caller.isEmpty()) {
      return Reply.failure(401, "Unauthorized", "Unauthorized");
    }
    if (!method.equals(HttpMethod.GET)) {
      return Reply.failure(405, "MethodNotAllowed", method + " (expected: GET)");
    }
    Optional<VisibilityApi.Target> target = VisibilityApi.find(path);
    if (target.isEmpty()) {
      return Reply.failure(404, "NotFound", "the server could not find the requested resource");
    }
    return switch (reviews.review(caller.get(), target.get().attributes())) {
      case ALLOWED -> allowed(target.get(), query);
      case DENIED ->
          Reply.failure(
              403, "Forbidden", "User \"%s\" cannot get %s".formatted(caller.get().user(), path));
      case UNKNOWN ->
          Reply.failure(503, "ServiceUnavailable", "the API server does not say who may ask this");
    };
  }

  private Reply allowed(VisibilityApi.Target target, Function<String, @Nullable String> query) {
    return switch (target) {
      case VisibilityApi.Discovery discovery -> Reply.ok(discovery.document());
      case VisibilityApi.Line line ->
          snapshots
              .get()
              .map(snapshot -> VisibilityApi.read(line, snapshot, query))
              .orElseGet(
                  () ->
                      Reply.failure(
                          503, "ServiceUnavailable", "not all queues and Workloads are known yet"));
    };
  }

  private static List<X509Certificate> chain(@Nullable SSLSession session) {
    List<X509Certificate> chain = new ArrayList<>();
    if (session != null) {
      try {
        for (var certificate : session.getPeerCertificates()) {
          chain.add((X509Certificate) certificate);
        }
      } catch (SSLPeerUnverifiedException _) {
        return List.of(); // no client certificate
      }
    }
    return chain;
  }

  private static Map<String, List<String>> headers(HttpServerRequest request) {
    Map<String, List<String>> headers = new TreeMap<>();
    request
        .headers()
        .forEach(
            header ->
                headers
                    .computeIfAbsent(
                        header.getKey().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                    .add(header.getValue()));
    return headers;
  }
}
