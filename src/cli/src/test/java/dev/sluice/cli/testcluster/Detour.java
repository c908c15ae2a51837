package dev.sluice.cli.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
import org.jspecify.annotations.Nullable;

/**
 * A way to a real API server on which things go wrong: everything goes through, but first it may be
 * refused, cut off or preceded by something else.
 */
public final class Detour implements AutoCloseable {
  private final ApiClient behind;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Trouble> troubles = new CopyOnWriteArrayList<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<InputStream> open = new CopyOnWriteArrayList<>();

  /** Something that happens to a call. */
  @FunctionalInterface
  public interface Trouble {
    /** What to answer instead; empty to let the call through. */
    Optional<Answer> on(Call call);
  }

  /**
   * A call on its way.
   *
   * @param target path and query
   * @param type the media type of the body; null if it has none
   */
  public record Call(String method, String target, @Nullable String type, String body) {
    /** Whether its method and path, as {@code PATCH /api/v1/pods/a}, are these. */
    public boolean is(String methodAndPath) {
      return (method + " " + target.replaceFirst("\\?.*", "")).equals(methodAndPath);
    }

    @Override
    public String toString() {
      return method + " " + target;
    }
  }

  /** An answer of our own; status 0 cuts the connection. */
  public record Answer(int status, Map<String, String> headers, String body) {}

  private Detour(ApiClient behind, HttpServer server) {
    this.behind = behind;
    this.server = server;
  }

  public static Detour to(ApiClient behind) {
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
  public Detour with(Trouble trouble) {
    troubles.add(trouble);
    return this;
  }

  /** All calls so far: method, blank, path and query. */
  public List<String> calls() {
    return new ArrayList<>(calls);
  }

  /** A kubeconfig that leads here. */
  public Path kubeconfig(Path folder) {
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
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    Call call =
        new Call(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders().getFirst("Content-Type"),
            body);
    calls.add(call.toString());
    for (Trouble trouble : troubles) {
      Optional<Answer> answer = trouble.on(call);
      if (answer.isPresent()) {
        answer(exchange, answer.get());
        return;
      }
    }
    if (call.target().contains("watch=")) {
      stream(exchange, call);
    } else {
      Response response = forward(call);
      answer(exchange, new Answer(response.status(), Map.of(), response.body()));
    }
  }

  /** Forwards a call, even if its caller no longer waits for the answer. */
  public Response forward(Call call) {
    return behind.send(call.method(), call.target(), call.type(), call.body());
  }

  private void stream(HttpExchange exchange, Call call) throws IOException {
    try (exchange;
        InputStream events = behind.open(call.target())) {
      open.add(events);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      out.flush(); // a watch is open before its first event
      byte[] buffer = new byte[1 << 16];
      for (int count = events.read(buffer); count >= 0; count = events.read(buffer)) {
        out.write(buffer, 0, count);
        out.flush();
      }
    }
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
    open.forEach(Detour::end);
    threads.close();
  }

  private static void end(InputStream events) {
    try {
      events.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
