package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.rules.ReviewContext;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.Knowledge;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.WebhookServer;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A running server into whose event loops and whose own probe a fault is thrown once, by work that
 * they are given: a page of the plain port, and the certificate that the probe asks for.
 */
@Timeout(300)
class ServerFaultsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FAULT = "/fault";

  @TempDir Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final AtomicLong ahead = new AtomicLong();
  private final Supervisor supervisor =
      new Supervisor(
          (code, why) -> ends.add(code + " " + why),
          InstantSource.system(),
          () -> System.nanoTime() + ahead.get());

  /** A server that does this on an event loop whenever its page {@code /fault} is asked for. */
  private WebhookServer serving(Runnable onTheLoop) {
    Page page =
        Page.state(
            FAULT,
            () -> {
              onTheLoop.run();
              return Readiness.READY;
            });
    return WebhookServer.start(
        Served.OPTIONS,
        Served.certificates(folder),
        Knowledge.of(ReviewContext.UNKNOWN).withPages(List.of(page)),
        supervisor);
  }

  /** The status of a page; -1 where none comes. */
  private static int status(WebhookServer server, String path) {
    URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
              BodyHandlers.discarding())
          .statusCode();
    } catch (IOException _) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anErrorOnAnEventLoopEndsTheProcessAndSaysWhy() {
    try (WebhookServer server = serving(Fault.ERROR.once()::pass)) {
      status(server, FAULT);

      await().atMost(PATIENCE).until(() -> !ends.isEmpty());
      assertThat(ends).containsExactly("70 the part event-loop failed with " + Fault.ERROR_TEXT);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
  void anExceptionOnAnEventLoopCostsItsOwnRequestAtMost(Fault fault) {
    try (WebhookServer server = serving(fault.once()::pass)) {
      assertThat(status(server, FAULT)).isNotEqualTo(200);

      assertThat(status(server, FAULT)).isEqualTo(200);
      assertThat(status(server, "/healthz")).isEqualTo(200);
      assertThat(ends).isEmpty();
    }
  }

  /** The loop that runs it takes no further work, and its thread ends. */
  private static void endThisLoop() {
    var _ = ContextInternal.current().nettyEventLoop().shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @FullTier
  @Test
  void aServerOfWhichOneEventLoopIsDeadIsNotHealthy() {
    try (WebhookServer server = serving(ServerFaultsIT::endThisLoop)) {
      assertThat(supervisor.health().text()).isEqualTo("ok");

      status(server, FAULT);
      ahead.set(Duration.ofSeconds(31).toNanos()); // the others beat again, the dead one does not
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  !supervisor.health().isGood() && supervisor.health().text().lines().count() == 1);

      assertThat(supervisor.health().text()).startsWith("event-loop: ");
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultInTheProbeOfItsOwnPortIsFollowedByProbesOrByTheEnd(Fault fault) throws IOException {
    CertificateFolder certificates = Served.certificates(folder);
    Fault.Trap trap = fault.once();
    AtomicInteger asked = new AtomicInteger();
    Supplier<ServingCertificate> certificate =
        () -> {
          trap.pass();
          asked.incrementAndGet();
          return certificates.current();
        };
    try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        PortWatch watch =
            PortWatch.start(
                new PortProbe(
                    new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()),
                    PortProbeIT.ASKED,
                    certificate,
                    Duration.ofMillis(50)),
                Duration.ofMillis(10),
                System::nanoTime,
                supervisor)) {
      if (fault == Fault.ERROR) {
        await().atMost(PATIENCE).until(() -> !ends.isEmpty());
        assertThat(ends).containsExactly("70 the part probe failed with " + Fault.ERROR_TEXT);
      } else {
        await().atMost(PATIENCE).until(() -> watch.whyNotReady().isPresent());
        assertThat(asked).hasPositiveValue();
        assertThat(ends).isEmpty();
        assertThat(supervisor.part("probe").failures()).isEqualTo(1);
      }
    }
  }
}
