package dev.sluice.server.schedule;

import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.audit.AuditReport;
import dev.sluice.server.program.CommandException;
import dev.sluice.supervision.Health;
import dev.sluice.supervision.Readiness;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.Page;
import dev.sluice.webhook.server.PagesServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The plain HTTP pages of a scheduler: healthz, readyz, metrics, and debug/audit, which audits its
 * whole quota state and answers 503 if it is inconsistent.
 */
final class SchedulerPages implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 10;

  private final Vertx vertx;
  private final PagesServer server;

  /**
   * Listens from now on.
   *
   * @param showsMetrics whether {@code /metrics} is one of the pages
   * @throws CommandException if the port is taken
   */
  SchedulerPages(
      ListenAddress address,
      Scheduler scheduler,
      Supplier<Health> health,
      PrometheusMeterRegistry registry,
      boolean showsMetrics) {
    vertx =
        GatedTransport.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1));
    try {
      server =
          PagesServer.start(
                  vertx,
                  address,
                  pages(scheduler, health, showsMetrics ? Optional.of(registry) : Optional.empty()),
                  registry)
              .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) { // Vert.x throws checked ones, too
      vertx.close();
      throw new CommandException(
          "cannot listen on %s: %s; name another port with --http-port"
              .formatted(
                  address, e instanceof TimeoutException ? "it takes too long" : e.getMessage()),
          e);
    }
  }

  private static List<Page> pages(
      Scheduler scheduler, Supplier<Health> health, Optional<PrometheusMeterRegistry> shown) {
    List<Page> pages = new ArrayList<>();
    pages.add(Page.health(health));
    pages.add(
        Page.state("/readyz", () -> new Readiness(scheduler.isComplete(), scheduler.summary())));
    shown.map(Page::metrics).ifPresent(pages::add);
    pages.add(audit(() -> scheduler));
    return pages;
  }

  /** An audit of the whole quota state, run on request. */
  static Page audit(Supplier<Scheduler> scheduler) {
    return Page.report("/debug/audit", () -> audited(scheduler.get().audit()));
  }

  private static Readiness audited(AuditReport report) {
    return new Readiness(report.findings().isEmpty(), report.text());
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    vertx.close();
  }
}
