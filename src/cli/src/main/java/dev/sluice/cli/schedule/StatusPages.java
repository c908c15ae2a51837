package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.CommandException;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.audit.AuditReport;
import dev.sluice.supervision.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * How a scheduler is, over plain HTTP: healthz, readyz, metrics, and debug/audit, which looks at
 * all of its ledger at once and answers 503 where a law is broken.
 */
final class StatusPages implements AutoCloseable {
  private static final int BACKLOG = 16;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private record Page(int status, String type, String body) {
    static Page text(boolean good, String body) {
      return new Page(good ? 200 : 503, "text/plain; charset=utf-8", body + "\n");
    }
  }

  /**
   * Listens from now on.
   *
   * @throws CommandException if the port is taken
   */
  StatusPages(
      String host,
      int port,
      Scheduler scheduler,
      Supplier<Health> health,
      PrometheusMeterRegistry registry) {
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    } catch (IOException e) {
      throw new CommandException(
          "cannot listen on %s:%d: %s; name another port with --http-port"
              .formatted(host, port, e.getMessage()),
          e);
    }
    server.setExecutor(threads);
    server.createContext("/healthz", exchange -> answer(exchange, healthy(health.get())));
    server.createContext(
        "/readyz",
        exchange -> answer(exchange, Page.text(scheduler.isComplete(), scheduler.summary())));
    server.createContext("/debug/audit", exchange -> answer(exchange, audited(scheduler.audit())));
    server.createContext(
        "/metrics",
        exchange ->
            answer(
                exchange,
                new Page(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape())));
    server.start();
  }

  private static Page healthy(Health health) {
    return Page.text(health.isGood(), health.text());
  }

  private static Page audited(AuditReport report) {
    return Page.text(report.findings().isEmpty(), report.text());
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Page page) throws IOException {
    try (exchange) {
      byte[] body = page.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", page.type());
      exchange.sendResponseHeaders(page.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
