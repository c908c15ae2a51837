package dev.sluice.webhook.server;

import dev.sluice.supervision.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plain HTTP for kubelet and Prometheus: {@code /healthz} (the process can go on), {@code /readyz}
 * (send it requests) and {@code /metrics}.
 */
public final class HealthServer {
  private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /** Starts to listen. */
  public static Future<HealthServer> start(
      Vertx vertx,
      ListenAddress address,
      Supplier<Readiness> readiness,
      Supplier<Health> health,
      PrometheusMeterRegistry registry) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setMaxHeaderSize(8 << 10)
            .setHttp2ClearTextEnabled(false) // nobody who probes or scrapes asks for it
            .setIdleTimeout(60);
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> answer(vertx, request, readiness.get(), health, registry))
        .listen()
        .map(HealthServer::new);
  }

  private static void answer(
      Vertx vertx,
      HttpServerRequest request,
      Readiness readiness,
      Supplier<Health> health,
      PrometheusMeterRegistry registry) {
    switch (String.valueOf(request.path())) {
      case "/healthz" -> {
        Health now = health.get();
        send(request, now.isGood() ? 200 : 503, TEXT, now.text() + "\n");
      }
      case "/readyz" ->
          send(request, readiness.ready() ? 200 : 503, TEXT, readiness.sentence() + "\n");
      case "/metrics" -> scrape(vertx, request, registry);
      default ->
          send(request, 404, TEXT, "no such path (expected: /healthz, /readyz or /metrics)\n");
    }
  }

  /**
   * Away from the event loop, which serves reviews, too: what a scheduler measures is found out by
   * going over all Workloads. One at a time, however many ask.
   */
  private static void scrape(
      Vertx vertx, HttpServerRequest request, PrometheusMeterRegistry registry) {
    vertx
        .executeBlocking(() -> registry.scrape())
        .onSuccess(page -> send(request, 200, PROMETHEUS_TEXT, page))
        .onFailure(
            e -> {
              LOG.error("metrics could not be read", e);
              send(request, 500, TEXT, "metrics could not be read\n");
            });
  }

  private static void send(HttpServerRequest request, int status, String type, String body) {
    request.response().setStatusCode(status).putHeader("content-type", type).end(body);
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Closes it. */
  public Future<Void> close() {
    return server.close();
  }
}
