package dev.sluice.webhook.hostile;

import dev.sluice.rules.ReviewContext;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The program of the other process: serves until its input ends. */
public final class SmallServer {
  static final String CA = "ca.pem";
  static final String PORT = "port";

  private SmallServer() {}

  /** Serves with certificates of this folder, and leaves the port and the authority there. */
  public static void main(String[] folder) throws IOException {
    Path dir = Path.of(folder[0]);
    Bounds usual = Bounds.DEFAULT;
    long inFlight = Bounds.bytesInFlight(Runtime.getRuntime().maxMemory());
    Bounds bounds =
        new Bounds(
            usual.maxBodyBytes(),
            inFlight,
            usual.json(),
            usual.maxConcurrent(),
            inFlight,
            usual.maxConnections(),
            Duration.ofMinutes(2), // a busy machine is not what is tested here
            Duration.ofMinutes(2),
            usual.idleTimeout());
    ServerOptions options =
        ServerOptions.builder()
            .listeningOn(new ListenAddress("127.0.0.1", 0), new ListenAddress("127.0.0.1", 0))
            .bounds(bounds)
            .warmUp(Duration.ZERO)
            .certificateCheck(Duration.ofHours(1))
            .drain(Duration.ZERO, Duration.ofSeconds(5))
            .build();
    try (WebhookServer server =
        WebhookServer.start(options, Served.certificates(dir), ReviewContext.UNKNOWN)) {
      Files.writeString(dir.resolve(CA), server.caBundlePem());
      Files.writeString(dir.resolve("port.new"), Integer.toString(server.httpsPort()));
      Files.move(dir.resolve("port.new"), dir.resolve(PORT));
      while (System.in.read() >= 0) {
        // goes on until the parent process closes the pipe or ends
      }
    }
  }
}
