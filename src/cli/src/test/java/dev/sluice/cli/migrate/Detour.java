package dev.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.ApiClient.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A way to a real API server on which things go wrong: everything goes through, but first it may be
 * refused, cut off or preceded by something else.
 */
final class Detour implements AutoCloseable {
  private final ApiClient behind;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Trouble> troubles = new CopyOnWriteArrayList<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** Something that happens to a call. */
  @FunctionalInterface
  interface Trouble {
    /** What to answer instead; empty to let the call through. */
    Optional<Answer> on(String call);
  }

  /** An answer of our own; status 0 cuts the connection. */
  record Answer(int status, Map<String, String> headers, String body) {}

  private Detour(ApiClient behind, HttpServer server) {
    this.behind = behind;
    this.server = server;
  }

  static Detour to(ApiClient behind) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Detour detour = new Detour(behind, server);
      server.setExecutor(detour.threads);
      server.createContext("/", detour::handle);
      server.start();
      return detour;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds trouble. */
  Detour with(Trouble trouble) {
    troubles.add(trouble);
    return this;
  }

  /** All calls so far: method, blank, path and query. */
  List<String> calls() {
    return new ArrayList<>(calls);
  }

  /** A kubeconfig that leads here. */
  Path kubeconfig(Path folder) {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: detour, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: detour, user: {token: any}}]
        contexts: [{name: detour, context: {cluster: detour, user: detour}}]
        current-context: detour
        """
            .formatted(server.getAddress().getPort());
    try {
      return Files.writeString(folder.resolve("detour.kubeconfig"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    calls.add(call);
    for (Trouble trouble : troubles) {
      Optional<Answer> answer = trouble.on(call);
      if (answer.isPresent()) {
        answer(exchange, answer.get());
        return;
      }
    }
    Response response = forward(exchange, body);
    answer(exchange, new Answer(response.status(), Map.of(), response.body()));
  }

  private Response forward(HttpExchange exchange, String body) {
    String path = exchange.getRequestURI().toString();
    return switch (exchange.getRequestMethod()) {
      case "GET" -> behind.get(path);
      case "PATCH" -> behind.mergePatch(path, body);
      case "POST" -> behind.create(path, body);
      default -> throw new IllegalArgumentException(exchange.getRequestMethod());
    };
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    if (answer.status() != 0) {
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      byte[] bytes = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
