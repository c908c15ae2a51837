package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A plain HTTP port for kubelet, Prometheus and people: health, metrics and the like, read only.
 * Slow pages are computed one after the other, and each once for all waiting requests. Paths under
 * {@code /debug/} answer callers on this machine only.
 */
public final class PagesServer {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final Duration longest;
  private final GatedTransport gates;
  private final ConnectionGate gate;
  private final ExecutorService worker =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // of at most one of each page
          Thread.ofPlatform().name("sluice-pages").daemon().factory());

  private final Map<Page, SlowPage> slow = new ConcurrentHashMap<>();
  private final HttpServer server;

  private PagesServer(
      Vertx vertx,
      HttpServerOptions options,
      List<Page> pages,
      Duration longest,
      GatedTransport gates,
      ConnectionGate gate) {
    this.vertx = vertx;
    this.longest = longest;
    this.gates = gates;
    this.gate = gate;
    Router router = PageRoutes.router(vertx, pages, this::show, this::send);
    this.server =
        vertx
            .createHttpServer(options)
            .connectionHandler(OpenConnection::connected)
            .requestHandler(
                request -> {
                  OpenConnection.accepted(request);
                  router.handle(request);
                });
  }

  /**
   * Starts to listen.
   *
   * @param vertx one of {@link GatedTransport#vertx}
   * @param registry takes what is measured of connections
   */
  public static Future<PagesServer> start(
      Vertx vertx, ListenAddress address, List<Page> pages, MeterRegistry registry) {
    return start(vertx, address, pages, registry, ConnectionBounds.PAGES, LONGEST);
  }

  /**
   * Starts to listen.
   *
   * @param longest time for a page to be found out, and again for the caller to take it
   */
  static Future<PagesServer> start(
      Vertx vertx,
      ListenAddress address,
      List<Page> pages,
      MeterRegistry registry,
      ConnectionBounds connections,
      Duration longest) {
    GatedTransport gates = GatedTransport.of(vertx);
    ConnectionGate gate = new ConnectionGate(connections, System::nanoTime, "plain", registry);
    PagesServer pagesServer =
        new PagesServer(vertx, options(address, connections), pages, longest, gates, gate);
    return gates
        .guarding(gate, address.port(), pagesServer.server::listen, HttpServer::actualPort)
        .map(pagesServer);
  }

  private static HttpServerOptions options(ListenAddress address, ConnectionBounds connections) {
    return new HttpServerOptions()
        .setHost(address.host())
        .setPort(address.port())
        .setMaxInitialLineLength(4 << 10)
        .setMaxHeaderSize(8 << 10)
        .setHttp2ClearTextEnabled(false) // probes and scrapes do not use it
        .setIdleTimeout(Math.toIntExact(connections.idleTimeout().toMillis()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  private void show(HttpServerRequest request, Page page) {
    if (page.isSlow()) {
      findOut(request, page);
    } else {
      send(request, page.show());
    }
  }

  /** Away from the event loop, which may serve reviews, too. */
  private void findOut(HttpServerRequest request, Page page) {
    Context context = vertx.getOrCreateContext();
    long timer =
        vertx.setTimer(
            longest.toMillis(),
            _ -> send(request, Answer.sentence(503, page.path() + " takes too long; try later")));
    try {
      var _ =
          slow(page)
              .ask()
              .thenAccept(
                  answer ->
                      context.runOnContext(
                          _ -> {
                            vertx.cancelTimer(timer);
                            send(request, answer);
                          }));
    } catch (RejectedExecutionException e) {
      vertx.cancelTimer(timer);
      send(request, Answer.sentence(503, "the server is stopping"));
    }
  }

  private SlowPage slow(Page page) {
    return slow.computeIfAbsent(page, it -> new SlowPage(it, worker));
  }

  private void send(HttpServerRequest request, Answer answer) {
    if (request.response().ended() || request.response().closed()) {
      return; // already answered, or the caller has disconnected
    }
    Reply reply = new Reply(vertx, request, _ -> {});
    if (request.method().equals(HttpMethod.HEAD)) {
      reply.headOnly(answer);
      return;
    }
    Future<Void> written = reply.withoutBody(answer, gate.bounds().headTimeout());
    if (!written.isComplete()) {
      long patience = vertx.setTimer(longest.toMillis(), _ -> reply.abort());
      written.onComplete(_ -> vertx.cancelTimer(patience));
    }
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** How many connections are open. */
  int connections() {
    return gate.connections();
  }

  /** Closes it. */
  public Future<Void> close() {
    gates.forget(gate);
    worker.shutdownNow();
    return server.close();
  }
}
