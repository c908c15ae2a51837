package dev.sluice.scheduler.faults;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An API server that takes every write, and has the list or object that it was given. */
public final class AnyApiServer implements AutoCloseable {
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final String list;
  private final String events;

  /**
   * One that answers each GET with that list, with 404 if it is empty, and each watch with those
   * events, after which it stays open.
   */
  public AnyApiServer(String list, String events) throws IOException {
    this.list = list;
    this.events = events;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String uri = exchange.getRequestURI().toString();
      asked.add(method + " " + uri);
      boolean reads = method.equals("GET");
      boolean watches = uri.contains("watch=1");
      exchange.sendResponseHeaders(reads && list.isEmpty() ? 404 : 200, 0);
      OutputStream out = exchange.getResponseBody();
      out.write(
          reads
              ? (watches ? events : list).getBytes(UTF_8)
              : exchange.getRequestBody().readAllBytes());
      out.flush();
      if (watches) {
        var _ = closing.await(60, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the test is over
    }
  }

  /** Methods and paths of all calls, in order. */
  public List<String> asked() {
    return asked;
  }

  /** A file that leads here. */
  public Path kubeconfig(Path folder) throws IOException {
    return Kubeconfigs.plain(folder, server.getAddress().getPort());
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
