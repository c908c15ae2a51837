package dev.sluice.server.wiring;

import dev.sluice.certs.CertificateSource;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.program.PrintableLines;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.ServerStartException;
import dev.sluice.webhook.WebhookServer;
import java.util.concurrent.CountDownLatch;

/** Starts a server, and stops it gracefully when the process gets a stop signal. */
public final class Serving {
  private Serving() {}

  /**
   * Starts a server and waits until it answers.
   *
   * @param listening called once the server listens; must not block
   * @throws CommandException if it cannot start, with a remedy where there is one
   */
  public static WebhookServer start(
      ServerOptions options,
      CertificateSource certificates,
      ServerContext context,
      Supervisor supervisor,
      Runnable listening) {
    try {
      return WebhookServer.start(options, certificates, context, supervisor, listening);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (ServerStartException e) {
      throw new CommandException(
          switch (e.reason()) {
            case ADDRESS ->
                "cannot listen on %s:%d or %s:%d: %s; stop what uses the port or name another with --port and --http-port"
                    .formatted(
                        options.https().host(),
                        options.https().port(),
                        options.http().host(),
                        options.http().port(),
                        e.getMessage());
            case PROBE -> "the server does not answer its own probe: " + e.getMessage();
            case TIMEOUT -> "the server did not start in time: " + e.getMessage();
          },
          e);
    }
  }

  /** Blocks until SIGTERM or SIGINT, and closes these, in order, before the process ends. */
  public static void untilStopped(AutoCloseable... resources) {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  for (AutoCloseable resource : resources) {
                    close(resource);
                  }
                  stopped.countDown();
                },
                "sluice-stop"));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // only a test interrupts us; the hook still closes all
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      System.err.println("sluice: stopping was not clean: " + PrintableLines.of(e.getMessage()));
    }
  }
}
