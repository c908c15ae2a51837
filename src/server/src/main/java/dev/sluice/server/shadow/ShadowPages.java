package dev.sluice.server.shadow;

import dev.sluice.server.program.CommandException;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.Page;
import dev.sluice.webhook.server.PagesServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The plain port of a shadow: health and metrics. */
final class ShadowPages implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 20;

  private final Vertx vertx;
  private final PagesServer pages;

  private ShadowPages(Vertx vertx, PagesServer pages) {
    this.vertx = vertx;
    this.pages = pages;
  }

  /**
   * Listens.
   *
   * @param missing what is not known yet
   * @throws CommandException if the port cannot be had
   */
  static ShadowPages start(
      ListenAddress address,
      PrometheusMeterRegistry registry,
      Supervisor supervisor,
      Supplier<List<String>> missing) {
    Vertx vertx = GatedTransport.vertx(new VertxOptions().setEventLoopPoolSize(1));
    List<Page> all =
        List.of(
            Page.health(supervisor::health),
            Page.state("/readyz", () -> readiness(missing.get())),
            Page.metrics(registry));
    try {
      return new ShadowPages(
          vertx,
          PagesServer.start(vertx, address, all, registry)
              .await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (Exception e) { // Vert.x throws checked ones, too
      var _ = vertx.close();
      throw new CommandException(
          "cannot listen on %s: %s; name another port with --http-port"
              .formatted(address, e.getMessage()),
          e);
    }
  }

  private static Readiness readiness(List<String> missing) {
    return missing.isEmpty()
        ? Readiness.READY
        : new Readiness(false, "not known yet: " + String.join("; ", missing));
  }

  /** The port. */
  int port() {
    return pages.port();
  }

  @Override
  public void close() {
    var _ = pages.close();
    var _ = vertx.close();
  }
}
