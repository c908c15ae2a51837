package dev.sluice.scheduler.lead;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Holds one Lease as an API server does: a write with an old resourceVersion is refused. It can
 * carry out a write and keep the answer to itself. Thread-safe.
 */
final class LeaseServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicBoolean keepNext = new AtomicBoolean();
  private volatile boolean keeps;
  private volatile boolean refuses;

  @GuardedBy("this")
  private @Nullable ObjectNode lease;

  @GuardedBy("this")
  private int version;

  @GuardedBy("this")
  private int reads;

  private record Answer(int status, String body) {}

  LeaseServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::exchange);
    server.start();
  }

  private void exchange(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isRead = exchange.getRequestMethod().equals("GET");
      Answer answer = isRead ? read() : write(exchange.getRequestBody().readAllBytes());
      if (!isRead && keepNext.compareAndSet(true, false)) {
        keeps = true;
        var _ = closing.await(60, TimeUnit.SECONDS);
      }
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the test is over
    }
  }

  private synchronized Answer read() {
    reads++;
    return lease == null ? new Answer(404, "{}") : new Answer(200, lease.toString());
  }

  private synchronized Answer write(byte[] body) throws IOException {
    if (refuses) {
      return new Answer(403, "{\"message\":\"not allowed\"}");
    }
    ObjectNode written = (ObjectNode) new JsonMapper().readTree(body);
    JsonNode of = written.at("/metadata/resourceVersion");
    if (lease != null && !of.asText().equals(String.valueOf(version))) {
      return new Answer(409, "{\"message\":\"the object has been modified\"}");
    }
    store(written);
    return new Answer(200, written.toString());
  }

  @GuardedBy("this")
  private void store(ObjectNode written) {
    version++;
    ((ObjectNode) written.path("metadata")).put("resourceVersion", String.valueOf(version));
    lease = written;
  }

  /** Stores the Lease of another replica, which was renewed a moment ago. */
  synchronized void put(String holder) {
    ObjectNode written = JsonNodeFactory.instance.objectNode();
    written.putObject("metadata");
    written.putObject("spec").put("holderIdentity", holder).put("leaseDurationSeconds", 600);
    store(written);
  }

  /** Who holds it; empty for nobody. */
  synchronized String holder() {
    return lease == null ? "" : lease.at("/spec/holderIdentity").asText();
  }

  synchronized int reads() {
    return reads;
  }

  /** Carries out the next write and does not answer it. */
  void keepAnswerOfNextWrite() {
    keepNext.set(true);
  }

  /** Refuses every write from now on, or no longer. */
  void refuseWrites(boolean refuse) {
    refuses = refuse;
  }

  /** Whether a write was carried out that was not answered. */
  boolean keepsAnswer() {
    return keeps;
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
