package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.INTERRUPTED;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREACHABLE;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends a call, against servers that misbehave. */
class ConnectionIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir Path folder;

  private final CountDownLatch over = new CountDownLatch(1);

  /** The two kinds of threads, whose sockets end in different ways. */
  enum Kind {
    VIRTUAL,
    PLATFORM;

    Thread start(Runnable task) {
      return this == VIRTUAL
          ? Thread.ofVirtual().start(task)
          : Thread.ofPlatform().daemon().start(task);
    }
  }

  private ClusterAccess access(RawServer server) throws IOException {
    return ClusterAccess.of(Kubeconfigs.plain(folder, server.port()));
  }

  /** A server that says nothing until the test is over. */
  private RawServer silent() throws IOException {
    return new RawServer((_, _) -> over.await(60, TimeUnit.SECONDS));
  }

  /** A server whose response never ends, a byte at a time. */
  private RawServer trickling(String beginning, String part) throws IOException {
    return new RawServer(
        (_, out) -> {
          RawServer.write(out, beginning);
          do {
            RawServer.write(out, part);
          } while (!over.await(20, TimeUnit.MILLISECONDS));
          return false;
        });
  }

  /** A server that answers with the number of the request. */
  private static RawServer numbering(boolean keepsConnections) throws IOException {
    return new RawServer(
        (nth, out) -> {
          RawServer.write(out, RawServer.ok("answer " + nth));
          return keepsConnections;
        });
  }

  private static String get(Connection connection, Duration bound) {
    return new String(connection.get("/a", Connection.JSON, bound), UTF_8);
  }

  /**
   * How a call ends that a thread of this kind makes; the second part of the pair is the thread.
   */
  private static CompletableFuture<Throwable> failure(
      Kind kind, AtomicReference<Thread> caller, Runnable call) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    caller.set(
        kind.start(
            () -> {
              try {
                call.run();
                failure.complete(new AssertionError("the call succeeded"));
              } catch (ConnectionException e) {
                failure.complete(
                    e.reason() == INTERRUPTED && !Thread.currentThread().isInterrupted()
                        ? new AssertionError("the interrupt is lost")
                        : e);
              } catch (RuntimeException | Error e) {
                failure.complete(e);
              }
            }));
    return failure;
  }

  private static Throwable failure(Kind kind, Runnable call) {
    return failure(kind, new AtomicReference<>(), call).orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static void assertEnded(Throwable failure, ConnectionException.Reason reason) {
    assertThat(failure).isInstanceOf(ConnectionException.class);
    assertThat(((ConnectionException) failure).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @EnumSource
  void aCallEndsWhenItsTimeIsOverThoughTheServerSaysNothing(Kind kind) throws IOException {
    try (RawServer server = silent();
        Connection connection = Connection.to(access(server))) {
      Throwable failure = failure(kind, () -> get(connection, SHORT));

      assertEnded(failure, UNREACHABLE);
      assertThat(failure).hasMessage("no answer within 300 ms");
    } finally {
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallEndsWhenItsTimeIsOverThoughTheServerGoesOnWriting(Kind kind) throws IOException {
    for (String beginning :
        List.of("", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n")) {
      try (RawServer server = trickling(beginning, "a");
          Connection connection = Connection.to(access(server))) {
        assertEnded(failure(kind, () -> get(connection, SHORT)), UNREACHABLE);
      }
    }
    over.countDown();
  }

  @ParameterizedTest
  @EnumSource
  void aCallEndsWhenItsThreadIsInterruptedAndTheThreadStaysInterrupted(Kind kind)
      throws IOException {
    try (RawServer server = silent();
        Connection connection = Connection.to(access(server))) {
      AtomicReference<Thread> caller = new AtomicReference<>();
      CompletableFuture<Throwable> failure = failure(kind, caller, () -> get(connection, LONG));
      await().until(() -> !server.requests().isEmpty());
      caller.get().interrupt();

      assertEnded(failure.orTimeout(30, TimeUnit.SECONDS).join(), INTERRUPTED);
    } finally {
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallEndsWhenTheConnectionIsClosedAndNoneBeginsAfterwards(Kind kind) throws IOException {
    try (RawServer server = silent()) {
      Connection connection = Connection.to(access(server));
      CompletableFuture<Throwable> failure =
          failure(kind, new AtomicReference<>(), () -> get(connection, LONG));
      await().until(() -> !server.requests().isEmpty());
      connection.close();

      assertEnded(failure.orTimeout(30, TimeUnit.SECONDS).join(), UNREACHABLE);
      assertEnded(failure(kind, () -> get(connection, LONG)), UNREACHABLE);
    } finally {
      over.countDown();
    }
  }

  @Test
  void oneConnectionServesCallsThatFollowEachOther() throws IOException {
    try (RawServer server = numbering(true);
        Connection connection = Connection.to(access(server))) {
      assertThat(get(connection, LONG)).isEqualTo("answer 1");
      assertThat(get(connection, LONG)).isEqualTo("answer 2");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatTheServerHasClosedWhileItWasIdleIsNotUsedAgain() throws Exception {
    try (RawServer server = numbering(false);
        Connection connection = Connection.to(access(server))) {
      assertThat(get(connection, LONG)).isEqualTo("answer 1");
      over.await(1, TimeUnit.SECONDS); // longer than a connection may be idle without a check

      assertThat(get(connection, LONG)).isEqualTo("answer 2");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void aRedirectOrARefusalIsAnAnswerAndNothingIsSentAgain() throws IOException {
    List<String> answers =
        List.of(
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
    try (RawServer server =
            new RawServer(
                (nth, out) -> {
                  RawServer.write(out, answers.get(nth - 1));
                  return true;
                });
        Connection connection = Connection.to(access(server))) {
      assertThat(status(connection)).isEqualTo(302);
      assertThat(connection.getUnlessKnown("/a", "", LONG))
          .satisfies(
              answer -> {
                assertThat(answer.status()).isEqualTo(429);
                assertThat(answer.retryAfter()).contains("7");
              });
      assertThat(status(connection)).isEqualTo(503);
      assertThat(server.requests()).hasSize(3).allMatch(it -> it.contains(" /a "));
    }
  }

  private static int status(Connection connection) {
    return connection.getUnlessKnown("/a", "", LONG).status();
  }

  @Test
  void aWatchGoesOnWhileTheServerWritesAndEndsWhenItFallsSilent() throws IOException {
    List<String> lines = new CopyOnWriteArrayList<>();
    String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (RawServer server =
            new RawServer(
                (_, out) -> {
                  RawServer.write(out, chunked);
                  for (int i = 0; i < 10; i++) {
                    RawServer.write(out, "2\r\n" + i + "\n\r\n");
                    over.await(100, TimeUnit.MILLISECONDS);
                  }
                  return over.await(60, TimeUnit.SECONDS);
                });
        Connection connection = Connection.to(access(server))) {
      Throwable failure =
          failure(
              Kind.VIRTUAL,
              () ->
                  connection.follow(
                      "/a",
                      Connection.JSON,
                      Duration.ofMillis(900),
                      () -> {},
                      (bytes, length) -> lines.add(new String(bytes, 0, length, UTF_8))));

      assertEnded(failure, UNREACHABLE);
      assertThat(failure).hasMessageContaining("on an open watch");
      assertThat(lines).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    } finally {
      over.countDown();
    }
  }

  @Test
  void aWatchThatBreaksOffWithinALineIsNoEnd() throws IOException {
    String beginning = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"a\":1}\n{\r\n";
    List<String> lines = new CopyOnWriteArrayList<>();
    try (RawServer server =
            new RawServer(
                (_, out) -> {
                  RawServer.write(out, beginning);
                  return false;
                });
        Connection connection = Connection.to(access(server))) {
      assertThatThrownBy(
              () ->
                  connection.follow(
                      "/a",
                      Connection.JSON,
                      LONG,
                      () -> {},
                      (bytes, length) -> lines.add(new String(bytes, 0, length, UTF_8))))
          .isInstanceOf(ConnectionException.class)
          .hasMessageStartingWith("no connection: ");
      assertThat(lines).containsExactly("{\"a\":1}");
    }
  }

  @Test
  void anAnswerOfMoreThanTheBudgetIsRefusedAndTheBudgetIsGivenBack() throws IOException {
    try (RawServer server =
            new RawServer(
                (nth, out) -> {
                  RawServer.write(out, RawServer.ok("a".repeat(nth == 2 ? 60_000 : 30_000)));
                  return true;
                });
        Connection connection = Connection.bounded(access(server), 40_000)) {
      assertThat(get(connection, LONG)).hasSize(30_000);
      assertThatThrownBy(() -> get(connection, LONG))
          .isInstanceOf(ConnectionException.class)
          .extracting(e -> ((ConnectionException) e).reason())
          .isEqualTo(UNREADABLE);
      assertThat(get(connection, LONG)).hasSize(30_000);
    }
  }
}
