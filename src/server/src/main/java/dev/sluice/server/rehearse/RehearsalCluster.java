package dev.sluice.server.rehearse;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.server.rehearse.RehearsalStore.Change;
import dev.sluice.server.rehearse.RehearsalStore.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * What clients take for an API server while their start is recorded: it keeps what is written to
 * it, and has a queue in which one Workload waits. On loopback, with TLS as a real one has it.
 */
final class RehearsalCluster implements AutoCloseable {
  private static final String LINE =
      """
      {"kind":"QueueLine","asOf":"2026-01-01T12:00:00Z","total":1,"offset":0,"items":[
      {"namespace":"team-a","name":"job-train","localQueue":"main","priority":5,
       "reason":"Pending","since":"2026-01-01T11:30:00Z","ahead":0,"aheadInLocalQueue":0}]}
      """;

  private static final JsonMapper MAPPER = new JsonMapper();

  /** A watch without changes ends after this time, as those of an API server do. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  private static final String NOTHING =
      """
      {"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}
      """;

  /** What it serves beside the core group. */
  private static final String GROUPS =
      """
      {"kind":"APIGroupList","apiVersion":"v1","groups":[
      {"name":"%s","versions":[{"groupVersion":"%s","version":"%s"}]},
      {"name":"batch","versions":[{"groupVersion":"batch/v1","version":"v1"}]},
      {"name":"scheduling.k8s.io",
       "versions":[{"groupVersion":"scheduling.k8s.io/v1","version":"v1"}]}]}
      """
          .formatted(ApiVersion.GROUP, ApiVersion.HUB.groupVersion(), ApiVersion.HUB);

  private static final String BATCH =
      """
      {"kind":"APIResourceList","groupVersion":"batch/v1","resources":[
      {"name":"jobs","kind":"Job","namespaced":true}]}
      """;

  /** Where the kubeconfig lies that leads here, once it answers. */
  static final String KUBECONFIG = "kubeconfig";

  /** An empty file that lies beside it once all Jobs have ended. */
  static final String ENDED = "ended";

  private final HttpsServer server;
  private final String authorities;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final RehearsalStore store = new RehearsalStore();

  private RehearsalCluster(HttpsServer server, String authorities) {
    this.server = server;
    this.authorities = authorities;
  }

  /**
   * Answers until the input ends.
   *
   * @param folder for its certificate, its kubeconfig, and the file {@link #ENDED}
   * @param jobs how many Jobs to let flow through it; with none, it has one Workload that runs
   */
  static void serve(Path folder, int jobs, InputStream input) throws IOException {
    try (RehearsalCluster server = start(folder)) {
      RehearsalJobs flow = new RehearsalJobs(server.store, jobs);
      flow.prepare();
      if (jobs > 0) {
        server.play(flow, folder.resolve(ENDED));
      } else {
        flow.addRunning();
      }
      Path draft = server.kubeconfig(folder.resolve(KUBECONFIG + ".new"));
      Files.move(draft, folder.resolve(KUBECONFIG), StandardCopyOption.ATOMIC_MOVE);
      input.transferTo(OutputStream.nullOutputStream());
    }
  }

  private void play(RehearsalJobs jobs, Path ended) {
    threads.execute(
        () -> {
          try {
            jobs.play();
            Files.createFile(ended);
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the server is closed: the flow ends here
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
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
      String url = exchange.getRequestURI().getPath();
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      Optional<ObjectPath> path = ObjectPath.of(url);
      if (query.contains("watch=") && path.isPresent()) {
        exchange.sendResponseHeaders(200, 0);
        watch(path.get(), versionIn(query), exchange.getResponseBody());
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      Outcome outcome =
          path.isPresent()
              ? call(exchange.getRequestMethod(), path.get(), body)
              : new Outcome(200, MAPPER.readTree(fixed(url)));
      byte[] answer = MAPPER.writeValueAsBytes(outcome.body());
      exchange.sendResponseHeaders(outcome.status(), answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static String fixed(String url) {
    return switch (url) {
      case "/apis" -> GROUPS;
      case "/apis/batch/v1" -> BATCH;
      default -> url.endsWith("/line") ? LINE : NOTHING;
    };
  }

  private Outcome call(String method, ObjectPath path, byte[] body) throws IOException {
    return switch (method) {
      case "GET" -> path.name().isEmpty() ? new Outcome(200, store.list(path)) : store.get(path);
      case "DELETE" -> store.delete(path);
      case "PUT" -> store.replace(path, MAPPER.readTree(body));
      case "POST" ->
          path.resource().equals("events") // nobody reads them
              ? new Outcome(201, MAPPER.readTree(body))
              : store.create(path, MAPPER.readTree(body));
      default -> store.patch(path, MAPPER.readTree(body)); // applies are taken for merge patches
    };
  }

  /** Writes the changes after a version, until there are none for a while. */
  private void watch(ObjectPath path, long from, OutputStream out) throws IOException {
    out.flush();
    long seen = from;
    try {
      List<Change> changes = store.changesAfter(path, seen, QUIET);
      while (!changes.isEmpty()) {
        for (Change change : changes) {
          seen = change.version();
          ObjectNode event = MAPPER.createObjectNode().put("type", change.type());
          event.set("object", change.object());
          out.write(MAPPER.writeValueAsBytes(event));
          out.write('\n');
        }
        out.flush();
        changes = store.changesAfter(path, seen, QUIET);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server is closed: the answer ends here
    }
  }

  private static long versionIn(String query) {
    return Stream.of(query.split("&", -1))
        .filter(it -> it.startsWith("resourceVersion="))
        .map(it -> it.substring(it.indexOf('=') + 1))
        .mapToLong(it -> ResourceVersion.number(it).orElse(0))
        .findFirst()
        .orElse(0);
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
    server.stop(0);
    threads.shutdownNow();
  }
}
