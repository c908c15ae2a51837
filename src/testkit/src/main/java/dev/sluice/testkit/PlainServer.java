package dev.sluice.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server on loopback, without TLS, that answers each request with a text. Thread-safe. */
public final class PlainServer implements AutoCloseable {
  private final HttpServer http;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  private PlainServer(HttpServer http) {
    this.http = http;
  }

  /**
   * Starts to answer with status 200.
   *
   * @param answer the body for a path without its query
   */
  public static PlainServer start(Function<String, String> answer) throws IOException {
    PlainServer server =
        new PlainServer(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    server.http.createContext("/", exchange -> server.answer(exchange, answer));
    server.http.start();
    return server;
  }

  private void answer(HttpExchange exchange, Function<String, String> answer) throws IOException {
    try (exchange) {
      asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      byte[] body = answer.apply(exchange.getRequestURI().getPath()).getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** The requests so far, each as method and path. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** The bodies of the requests so far, empty for those without one. */
  public List<String> bodies() {
    return List.copyOf(bodies);
  }

  /** Writes a kubeconfig that leads here into that folder. */
  public Path kubeconfig(Path folder) throws IOException {
    return Kubeconfigs.plain(folder, http.getAddress().getPort());
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
