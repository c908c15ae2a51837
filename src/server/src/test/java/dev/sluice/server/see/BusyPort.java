package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.server.reply.Reply;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.TlsPolicy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A server of the visibility API with small bounds, and its callers. */
final class BusyPort implements AutoCloseable {
  private static final int LARGE = 32 << 20;

  /** Within this, what a test waits for has to come. */
  static final int AWAITED_SECONDS = 60;

  /** Calls that are to succeed keep to it too, with their handshake, on a slow core. */
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Vertx vertx;
  private final CertificateFolder certificates;
  private final SeeServer server;
  private final int port;

  /**
   * Starts it.
   *
   * @param folder where its certificates are written
   */
  BusyPort(Path folder) throws Exception {
    vertx = GatedTransport.vertx(new VertxOptions().setEventLoopPoolSize(1));
    certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    server =
        new SeeServer(
            vertx,
            new ListenAddress("127.0.0.1", 0),
            TlsPolicy.DEFAULT,
            new SwitchingKeyManager(certificates.current()),
            request ->
                CompletableFuture.completedFuture(
                    new Reply(
                        200,
                        Map.of("Content-Type", "text/plain"),
                        new byte[request.path().equals("/large") ? LARGE : 2])),
            registry,
            new ConnectionBounds(6, 3, BOUND, Duration.ofSeconds(30)),
            BOUND);
    port = await(server.listen());
  }

  @Override
  public void close() {
    await(server.shutdown(Duration.ofMillis(1)));
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(AWAITED_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  Socket silent() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  SSLSocket caller() throws Exception {
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null, null);
    known.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(certificates.caBundlePem().getBytes(US_ASCII))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return (SSLSocket) tls.getSocketFactory().createSocket("localhost", port);
  }

  static void ask(SSLSocket caller, String path) throws IOException {
    caller
        .getOutputStream()
        .write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII));
  }

  /** How many connections were closed for that reason. */
  double closed(String reason) {
    return registry
        .get("sluice.connections.closed")
        .tags("port", "see", "reason", reason)
        .counter()
        .count();
  }

  /** The bytes of answers that their callers have not taken. */
  long untakenBytes() {
    return server.untakenBytes();
  }
}
