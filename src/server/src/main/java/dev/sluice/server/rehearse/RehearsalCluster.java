package dev.sluice.server.rehearse;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.SwitchingKeyManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * What clients take for an API server while their start is recorded: lists without items, watches
 * that never tell anything, writes that come back as they were sent, and a queue in which one
 * Workload waits. On loopback, with TLS as a real one has it.
 */
final class RehearsalCluster implements AutoCloseable {
  private static final String LINE =
      """
      {"kind":"QueueLine","asOf":"2026-01-01T12:00:00Z","total":1,"offset":0,"items":[
      {"namespace":"team-a","name":"job-train","localQueue":"main","priority":5,
       "reason":"Pending","since":"2026-01-01T11:30:00Z","ahead":0,"aheadInLocalQueue":0}]}
      """;

  private static final String NOTHING =
      """
      {"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}
      """;

  /** Where the kubeconfig lies that leads here, once it answers. */
  static final String KUBECONFIG = "kubeconfig";

  private final HttpsServer server;
  private final String authorities;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);

  private RehearsalCluster(HttpsServer server, String authorities) {
    this.server = server;
    this.authorities = authorities;
  }

  /**
   * Answers until the input ends.
   *
   * @param folder for its certificate and its kubeconfig
   */
  static void serve(Path folder, InputStream input) throws IOException {
    try (RehearsalCluster server = start(folder)) {
      Path draft = server.kubeconfig(folder.resolve(KUBECONFIG + ".new"));
      Files.move(draft, folder.resolve(KUBECONFIG), StandardCopyOption.ATOMIC_MOVE);
      input.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static RehearsalCluster start(Path folder) throws IOException {
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("127.0.0.1"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(certificates)));
    RehearsalCluster cluster = new RehearsalCluster(server, certificates.caBundlePem());
    server.setExecutor(cluster.threads);
    server.createContext("/", cluster::answer);
    server.start();
    return cluster;
  }

  private static SSLContext tls(CertificateFolder certificates) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new SwitchingKeyManager(certificates.current())}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=")) {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        awaitEnd();
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestMethod().equals("GET")) {
        boolean isLine = exchange.getRequestURI().getPath().endsWith("/line");
        body = (isLine ? LINE : NOTHING).getBytes(UTF_8);
      }
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private void awaitEnd() {
    try {
      closed.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server is closed: the answer ends here
    }
  }

  private Path kubeconfig(Path file) throws IOException {
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: rehearsal
        contexts: [{name: rehearsal, context: {cluster: rehearsal, user: rehearsal}}]
        clusters:
          - name: rehearsal
            cluster:
              server: https://127.0.0.1:%d
              certificate-authority-data: %s
        users: [{name: rehearsal, user: {token: rehearsal}}]
        """
            .formatted(
                server.getAddress().getPort(),
                Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8))));
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
