package dev.sluice.server.see;

import dev.sluice.certs.PermissiveTrustManager;
import dev.sluice.server.reply.Reply;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.PortGuard;
import dev.sluice.webhook.server.TlsPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the HTTPS port of the API. The numbers of connections and of requests under way are
 * bounded; requests beyond are answered with 429, and bodies that are too large with 413. What is
 * answered is found out by workers, since it may wait for the API server.
 */
final class SeeServer {
  private static final Logger LOG = LoggerFactory.getLogger(SeeServer.class);
  private static final int LONGEST_LINE = 8 << 10;
  private static final int LONGEST_HEAD = 32 << 10; // tokens, and groups of users, are long
  private static final int STREAMS = 250;
  private static final int HANDSHAKE_SECONDS = 20; // the guard is stricter
  private static final ConnectionBounds CONNECTIONS =
      new ConnectionBounds(1_000, 500, Duration.ofSeconds(10), Duration.ofMinutes(5));

  /** How long a caller may take to take an answer. */
  private static final Duration TAKING = Duration.ofSeconds(30);

  /** So much of the answers that nobody has taken yet is kept. */
  private static final long UNTAKEN_BYTES = 64L << 20;

  /** Requests under way on all connections. */
  private static final int REQUESTS = 1_000;

  /** The last parts of paths that are counted by their names. */
  private static final Set<String> MEASURED =
      ApiGroup.ALL.stream()
          .flatMap(group -> group.resources().stream())
          .map(it -> it.hasSubresource() ? it.subresource() : it.plural())
          .collect(Collectors.toUnmodifiableSet());

  /** Answers one request; called on workers, which wait for nothing but the API server. */
  interface Answers {
    CompletableFuture<Reply> answer(SeeRequest request);
  }

  private final Vertx vertx;
  private final Answers answers;
  private final MeterRegistry registry;
  private final BodyReader bodies;
  private final HttpServer server;
  private final PortGuard guard;
  private final int port;
  private final Duration taking;
  private final AtomicLong untaken = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * A server that does not listen yet.
   *
   * @param keys gives the certificate of each new connection
   * @param registry takes the time of each request
   */
  SeeServer(
      Vertx vertx,
      ListenAddress address,
      TlsPolicy tls,
      X509KeyManager keys,
      Answers answers,
      MeterRegistry registry) {
    this(vertx, address, tls, keys, answers, registry, CONNECTIONS, TAKING);
  }

  /**
   * The same with other bounds.
   *
   * @param taking how long a caller may take to take an answer
   */
  SeeServer(
      Vertx vertx,
      ListenAddress address,
      TlsPolicy tls,
      X509KeyManager keys,
      Answers answers,
      MeterRegistry registry,
      ConnectionBounds connections,
      Duration taking) {
    this.vertx = vertx;
    this.taking = taking;
    this.port = address.port();
    this.answers = answers;
    this.registry = registry;
    this.bodies = new BodyReader(vertx);
    HttpServerOptions options = options(address, keys, connections);
    tls.applyTo(options);
    this.guard = new PortGuard(vertx, connections, "see", registry);
    this.server = guard.handling(vertx.createHttpServer(options), this::accept);
  }

  /** The handshake asks for a certificate of any authority: who asks is decided by request. */
  private static HttpServerOptions options(
      ListenAddress address, X509KeyManager keys, ConnectionBounds connections) {
    var options =
        new HttpServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setSsl(true)
            .setUseAlpn(true)
            .setKeyCertOptions(KeyCertOptions.wrap(keys))
            .setClientAuth(ClientAuth.REQUEST)
            .setTrustOptions(
                TrustOptions.wrap(PermissiveTrustManager.ofClients(() -> new X509Certificate[0])))
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
            .setIdleTimeout(Math.toIntExact(connections.idleTimeout().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setMaxInitialLineLength(LONGEST_LINE)
            .setMaxHeaderSize(LONGEST_HEAD);
    options
        .getInitialSettings()
        .setMaxConcurrentStreams(STREAMS)
        .setMaxHeaderListSize(LONGEST_HEAD);
    return options;
  }

  /** Starts to listen; answers the port. */
  Future<Integer> listen() {
    return guard.listen(server, port).map(HttpServer::actualPort);
  }

  /** Accepts nothing more, and waits this long for what is under way. */
  Future<Void> shutdown(Duration patience) {
    guard.leave();
    return server.shutdown(patience);
  }

  private void accept(HttpServerRequest request) {
    long began = System.nanoTime();
    if (!request.method().equals(HttpMethod.POST)) {
      accept(request, new byte[0], began);
      return;
    }
    bodies.read(request, body -> accept(request, body, began), reply -> send(request, reply));
  }

  private void accept(HttpServerRequest request, byte[] body, long began) {
    SeeRequest asked;
    try {
      asked = read(request, body);
    } catch (IllegalArgumentException e) { // a query that is badly encoded
      LOG.debug("a request cannot be read", e);
      send(request, Reply.failure(400, "BadRequest", "the query cannot be read"));
      return;
    }
    if (underWay.incrementAndGet() > REQUESTS) {
      underWay.decrementAndGet();
      send(request, Reply.failure(429, "TooManyRequests", "too many requests are under way"));
      return;
    }
    var _ =
        vertx
            .executeBlocking(() -> answers.answer(asked), false)
            .compose(answer -> Future.fromCompletionStage(answer, vertx.getOrCreateContext()))
            .otherwise(
                e -> {
                  LOG.warn("{} {} could not be answered", asked.method(), asked.path(), e);
                  return Reply.failure(500, "InternalError", "the request could not be answered");
                })
            .onComplete(
                answered -> {
                  underWay.decrementAndGet();
                  measure(asked, answered.result(), System.nanoTime() - began);
                  send(request, answered.result());
                });
  }

  private void measure(SeeRequest asked, Reply reply, long nanos) {
    String last = asked.path().substring(asked.path().lastIndexOf('/') + 1);
    Timer.builder("sluice.see.requests")
        .description("Requests to the API about queues and those who wait in them")
        .tag("resource", MEASURED.contains(last) ? last : "other")
        .tag("code", Integer.toString(reply.status()))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** The bytes of the answers that were sent and not taken yet. */
  long untakenBytes() {
    return untaken.get();
  }

  private void send(HttpServerRequest request, Reply reply) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return; // the caller has disconnected
    }
    int length = reply.body().length;
    if (untaken.addAndGet(length) > UNTAKEN_BYTES) {
      untaken.addAndGet(-length);
      PortGuard.abort(request); // others take theirs, and leave room again
      return;
    }
    response.setStatusCode(reply.status());
    response.putHeader("X-Content-Type-Options", "nosniff");
    reply.headers().forEach(response::putHeader);
    Future<Void> taken = response.end(Buffer.buffer(reply.body()));
    long patience = vertx.setTimer(taking.toMillis(), _ -> PortGuard.abort(request));
    taken.onComplete(
        _ -> {
          vertx.cancelTimer(patience);
          untaken.addAndGet(-length);
        });
  }

  private static SeeRequest read(HttpServerRequest request, byte[] body) {
    String path = request.path();
    Map<String, String> query = new TreeMap<>();
    request.params().forEach(it -> query.putIfAbsent(it.getKey(), it.getValue()));
    return new SeeRequest(
        request.method().name(),
        path == null ? "" : path,
        query,
        headers(request),
        chain(request.sslSession()),
        body);
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
