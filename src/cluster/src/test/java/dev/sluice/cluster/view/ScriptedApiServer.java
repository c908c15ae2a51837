package dev.sluice.cluster.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An API server that answers by a script, to do what a real one does only now and then. Each
 * request takes the next step; after the last one, watches stay open and say nothing.
 */
final class ScriptedApiServer implements AutoCloseable {
  private final ConcurrentLinkedQueue<Step> script = new ConcurrentLinkedQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /**
   * One answer.
   *
   * @param held whether the stream stays open after what was said
   */
  record Step(int status, String body, boolean held) {
    static Step answer(String body) {
      return new Step(200, body, false);
    }

    static Step refusal(int status, String message) {
      return new Step(status, "{\"kind\":\"Status\",\"message\":\"" + message + "\"}", false);
    }

    static Step stream(String... lines) {
      return new Step(200, String.join("\n", lines) + "\n", true);
    }

    static Step ended(String... lines) {
      return new Step(200, String.join("\n", lines) + "\n", false);
    }
  }

  ScriptedApiServer(Step... steps) throws IOException {
    script.addAll(List.of(steps));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI().toString());
    Step step = script.poll();
    Step next = step == null ? new Step(200, "", true) : step;
    try (exchange) {
      exchange.sendResponseHeaders(next.status(), 0);
      OutputStream out = exchange.getResponseBody();
      out.write(next.body().getBytes(UTF_8));
      out.flush();
      if (next.held()) {
        closing.await(30, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Goes on with these steps. */
  void then(Step... steps) {
    script.addAll(List.of(steps));
  }

  /** The paths that were asked for until now, in order. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  /** A file that leads here. */
  Path kubeconfig(Path folder) throws IOException {
    return Kubeconfigs.plain(folder, server.getAddress().getPort());
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
