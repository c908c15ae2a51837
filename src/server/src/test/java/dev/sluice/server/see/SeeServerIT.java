package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.server.reply.Reply;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.TlsPolicy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port of the visibility API in the hands of callers who only want to keep it busy. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // set before each test
class SeeServerIT {
  private static final int LARGE = 32 << 20;
  private static final int AWAITED_SECONDS = 60;

  /** Calls that are to succeed keep to it too, with their handshake, on a slow core. */
  private static final Duration BOUND = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Vertx vertx;
  private CertificateFolder certificates;
  private SeeServer server;
  private int port;

  @BeforeEach
  void aServer() throws Exception {
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
    port =
        server
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get(AWAITED_SECONDS, TimeUnit.SECONDS);
  }

  @AfterEach
  void itEnds() throws Exception {
    server
        .shutdown(Duration.ofMillis(1))
        .toCompletionStage()
        .toCompletableFuture()
        .get(AWAITED_SECONDS, TimeUnit.SECONDS);
    vertx.close().toCompletionStage().toCompletableFuture().get(AWAITED_SECONDS, TimeUnit.SECONDS);
  }

  private Socket silent() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private SSLSocket caller() throws Exception {
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

  private static void ask(SSLSocket caller, String path) throws IOException {
    caller
        .getOutputStream()
        .write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII));
  }

  private double closed(String reason) {
    return registry
        .get("sluice.connections.closed")
        .tags("port", "see", "reason", reason)
        .counter()
        .count();
  }

  @Test
  void callersWhoSayNothingGiveTheirPlaceToOneWhoAsks() throws Exception {
    try (Socket first = silent();
        Socket second = silent();
        Socket third = silent()) {
      assertThat(List.of(first, second, third)).allMatch(Socket::isConnected);
      await().atMost(Duration.ofSeconds(AWAITED_SECONDS)).until(() -> closed("slow") == 3);

      try (SSLSocket caller = caller()) {
        ask(caller, "/small");
        assertThat(new String(caller.getInputStream().readNBytes(12), US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
    }
  }

  @Test
  void anAnswerThatNobodyTakesIsGivenUp() throws Exception {
    try (SSLSocket caller = caller()) {
      ask(caller, "/large");
      InputStream answer = caller.getInputStream();
      assertThat(new String(answer.readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 200");

      try (SSLSocket other = caller()) { // its answer comes while the other one is not taken
        ask(other, "/small");
        assertThat(new String(other.getInputStream().readNBytes(12), US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
      await().atMost(Duration.ofSeconds(AWAITED_SECONDS)).until(() -> server.untakenBytes() == 0);
    }
  }
}
