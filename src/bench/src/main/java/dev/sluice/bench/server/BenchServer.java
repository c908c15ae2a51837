package dev.sluice.bench.server;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.controlplane.Ports;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/**
 * A server to be measured, in this process, on loopback. All have the same certificate and as many
 * event loops as {@code sluice run}; echo has its HTTPS listener and threads, too.
 */
public final class BenchServer implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  /** Somebody else may take a free port before we do, but hardly so often in a row. */
  private static final int ATTEMPTS = 5;

  private final Target target;
  private final Runnable stop;

  private BenchServer(Target target, Runnable stop) {
    this.target = target;
    this.stop = stop;
  }

  /**
   * Starts a server on any free port and waits until it answers.
   *
   * @param data where it keeps its certificates
   */
  public static BenchServer start(Yardstick yardstick, Path data) throws IOException {
    CertificateFolder certificates =
        CertificateFolder.open(
            data,
            List.of("localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    for (int attempt = 1; ; attempt++) {
      // a port by its number, because several event loops share a port only so
      ListenAddress https = new ListenAddress(HOST, Ports.free());
      try {
        return new BenchServer(
            new Target(yardstick, https.port(), certificates.caBundlePem()),
            listen(yardstick, https, certificates));
      } catch (Exception e) { // Vert.x throws checked ones, too
        if (attempt == ATTEMPTS || !isForATakenPort(e)) {
          throw e;
        }
      }
    }
  }

  /** Returns what stops it. */
  private static Runnable listen(
      Yardstick yardstick, ListenAddress https, CertificateFolder certificates) {
    return switch (yardstick) {
      case SLUICE ->
          WebhookServer.start(
                  ServerOptions.builder().listeningOn(https, new ListenAddress(HOST, 0)).build(),
                  certificates,
                  BusyCluster.WORLD)
              ::close;
      case BARE -> BareServer.start(https, certificates.current())::close;
      case ECHO -> EchoServer.start(https, certificates.current())::close;
    };
  }

  private static boolean isForATakenPort(Exception e) {
    return e instanceof BindException || e.getCause() instanceof BindException;
  }

  /** How to reach it. */
  public Target target() {
    return target;
  }

  @Override
  public void close() {
    stop.run();
  }
}
