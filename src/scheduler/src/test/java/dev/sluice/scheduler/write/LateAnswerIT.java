package dev.sluice.scheduler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server whose answer to a write is late, since a webhook of others takes its time. */
@Timeout(60)
class LateAnswerIT {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final List<Duration> BOUNDS = List.of(SHORT, SHORT, LONG, LONG);

  @TempDir private Path folder;
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch answered = new CountDownLatch(1);

  private interface Story {
    void play(Sender sender) throws Exception;
  }

  private void play(Story story) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection =
            Connection.to(Kubeconfigs.plain(folder, server.getAddress().getPort()))) {
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
      try {
        story.play(new Sender(connection, () -> true, _ -> {}, (_, _, _) -> {}, BOUNDS));
      } finally {
        answered.countDown();
      }
    } finally {
      server.stop(0);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      calls.incrementAndGet();
      answered.await();
      exchange.sendResponseHeaders(200, 2);
      exchange.getResponseBody().write(new byte[] {'{', '}'});
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static Write patch(GroupVersionKind kind) {
    return new Write.MergePatch(
        new ObjectRef(kind, "n", "o", "u"), "", JsonNodeFactory.instance.objectNode(), "m", "1");
  }

  @Test
  void theThirdAttemptIsWaitedForLong() throws Exception {
    play(
        sender -> {
          var sent = new CompletableFuture<WriteResult>();
          Write start = patch(new GroupVersionKind("batch", "v1", "Job"));
          Thread.ofVirtual().start(() -> sent.complete(sender.send(start)));
          Awaitility.await().until(() -> calls.get() == 3);
          Awaitility.await().during(SHORT.multipliedBy(3)).until(() -> calls.get() == 3);

          answered.countDown();

          assertThat(sent.get(30, TimeUnit.SECONDS)).isInstanceOf(WriteResult.Done.class);
        });
  }

  /** Or it could be stored after the next leader has given its quota to another Workload. */
  @Test
  void noAttemptToReserveIs() throws Exception {
    play(
        sender -> {
          assertThat(sender.send(patch(ApiKind.WORKLOAD.hub())))
              .isInstanceOf(WriteResult.Unanswered.class);
          assertThat(calls).hasValue(4);
        });
  }
}
