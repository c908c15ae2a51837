package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a role takes for the API server of an empty cluster while its start is recorded: lists
 * without items, watches that never tell anything, and writes that come back as they were sent. On
 * loopback only, for one client.
 */
final class RehearsalApi implements AutoCloseable {
  private static final String EMPTY =
      """
      {"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}
      """;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);

  private RehearsalApi(HttpServer server) {
    this.server = server;
  }

  static RehearsalApi start() throws IOException {
    RehearsalApi api =
        new RehearsalApi(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    api.server.setExecutor(api.threads);
    api.server.createContext("/", api::answer);
    api.server.start();
    return api;
  }

  /** How a client finds it. */
  String kubeconfig() {
    return """
    apiVersion: v1
    kind: Config
    current-context: rehearsal
    contexts: [{name: rehearsal, context: {cluster: rehearsal, user: rehearsal}}]
    clusters: [{name: rehearsal, cluster: {server: "http://127.0.0.1:%d"}}]
    users: [{name: rehearsal, user: {token: rehearsal}}]
    """
        .formatted(server.getAddress().getPort());
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
      boolean reads = exchange.getRequestMethod().equals("GET");
      byte[] body = reads ? EMPTY.getBytes(UTF_8) : exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(reads ? 200 : 201, body.length == 0 ? -1 : body.length);
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

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
