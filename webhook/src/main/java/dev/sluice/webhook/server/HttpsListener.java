package dev.sluice.webhook.server;

import dev.sluice.certs.PermissiveTrustManager;
import dev.sluice.webhook.endpoint.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509KeyManager;

/**
 * Serves endpoints over HTTPS (TLS, HTTP/2 and HTTP/1.1), one server on each event loop, all on one
 * port.
 */
public final class HttpsListener {
  private static final int STREAM_WINDOW = 1 << 20;
  private static final int CONNECTION_WINDOW = 16 << 20;
  private static final int STREAMS = 1000;

  /** How long callers may take to leave; what still runs then is waited for without new ones. */
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final Queue<HttpServer> servers = new ConcurrentLinkedQueue<>();

  private final Vertx vertx;
  private final RequestRouter router;
  private final GatedTransport gates;
  private final ConnectionGate gate;

  private HttpsListener(
      Vertx vertx, RequestRouter router, GatedTransport gates, ConnectionGate gate) {
    this.vertx = vertx;
    this.router = router;
    this.gates = gates;
    this.gate = gate;
  }

  /**
   * Starts to listen.
   *
   * @param vertx one of {@link GatedTransport#vertx}
   * @param keys gives the certificate of each new connection
   * @param workers answer requests that are too large for an event loop
   */
  public static Future<HttpsListener> start(
      Vertx vertx,
      HttpsOptions chosen,
      X509KeyManager keys,
      List<Endpoint> endpoints,
      Workers workers,
      MeterRegistry registry) {
    GatedTransport gates = GatedTransport.of(vertx);
    ConnectionGate gate =
        new ConnectionGate(chosen.connections(), System::nanoTime, "https", registry);
    registry.gauge("sluice.connections", gate, ConnectionGate::connections);
    ClientCertificateGate clientGate =
        new ClientCertificateGate(chosen.clients().orElse(null), InstantSource.system());
    HttpsListener listener =
        new HttpsListener(
            vertx,
            new RequestRouter(
                vertx, chosen.bounds(), endpoints, workers, System::nanoTime, registry, clientGate),
            gates,
            gate);
    HttpServerOptions options = options(chosen.address(), keys, chosen.connections());
    chosen.tls().applyTo(options);
    chosen
        .clients()
        .ifPresent(
            authorities ->
                options
                    .setClientAuth(ClientAuth.REQUEST)
                    .setTrustOptions(
                        TrustOptions.wrap(PermissiveTrustManager.ofClients(authorities::issuers))));
    int port = chosen.address().port();
    int instances = port == 0 ? 1 : chosen.eventLoops(); // loops share a port only by its number
    return gates.guarding(
        gate,
        port,
        () ->
            vertx
                .deployVerticle(
                    () -> listener.new Loop(options),
                    new DeploymentOptions().setInstances(instances))
                .map(listener),
        HttpsListener::port);
  }

  private static HttpServerOptions options(
      ListenAddress address, X509KeyManager keys, ConnectionBounds bounds) {
    return new HttpServerOptions()
        .setHost(address.host())
        .setPort(address.port())
        .setSsl(true)
        .setUseAlpn(true)
        .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1, HttpVersion.HTTP_1_0))
        .setKeyCertOptions(KeyCertOptions.wrap(keys))
        .setSslHandshakeTimeout(2 * bounds.headTimeout().toMillis()) // the gate is stricter
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(Math.toIntExact(bounds.idleTimeout().toMillis()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setPerFrameWebSocketCompressionSupported(false) // no endpoint speaks WebSocket
        .setPerMessageWebSocketCompressionSupported(false)
        .setMaxInitialLineLength(4 << 10)
        .setMaxHeaderSize(16 << 10)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS)
                .setInitialWindowSize(STREAM_WINDOW)
                .setMaxHeaderListSize(16 << 10))
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW);
  }

  /** The port it listens on. */
  public int port() {
    HttpServer server = servers.peek();
    if (server == null) {
      throw new IllegalStateException("not listening");
    }
    return server.actualPort();
  }

  /**
   * Asks callers to leave, answers what they still send, stops accepting, waits for running
   * requests, then closes. A caller that connects meanwhile is served and not asked.
   *
   * @param patience how long all of it may take
   */
  public Future<Void> shutdown(Duration patience) {
    long began = System.nanoTime();
    return new Farewell(vertx, gate)
        .say(patience.compareTo(FAREWELL) < 0 ? patience : FAREWELL)
        .compose(_ -> close(patience.minusNanos(System.nanoTime() - began)));
  }

  private Future<Void> close(Duration left) {
    Duration patience = left.isPositive() ? left : Duration.ofMillis(1); // zero is no bound
    router.stop();
    gates.forget(gate);
    return Future.join(servers.stream().map(server -> server.shutdown(patience)).toList())
        .mapEmpty();
  }

  /** One server on one event loop. */
  private final class Loop extends VerticleBase {
    private final HttpServerOptions options;

    private Loop(HttpServerOptions options) {
      this.options = options;
    }

    @Override
    public Future<?> start() {
      return vertx
          .createHttpServer(options)
          .connectionHandler(this::connected)
          .requestHandler(router::accept)
          .listen()
          .onSuccess(servers::add);
    }

    /** Otherwise an error in the code of Vert.x would only close the connection. */
    private void connected(HttpConnection connection) {
      connection.exceptionHandler(cause -> LoopErrors.report(vertx, cause));
      router.connected(connection);
    }
  }
}
