package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.rules.ReviewContext;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import dev.sluice.webhook.server.PortProbe.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is asked through its own port, and what becomes of one that does not answer. */
@Timeout(300)
class PortProbeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ServerOptions OPTIONS =
      Served.OPTIONS.toBuilder().certificateCheck(Duration.ofMillis(20)).build();

  /** What the server answers on the path of its own probe. */
  static final Endpoint ASKED =
      new Endpoint() {
        @Override
        public String path() {
          return "/self-probe";
        }

        @Override
        public Probe probe() {
          return new Probe(
              """
              {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{
              "uid":"sluice-probe","desiredAPIVersion":"kueue.x-k8s.io/v1beta2","objects":[]}}\
              """,
              "Success");
        }

        @Override
        public Answer answer(byte[] body, Deadline deadline) {
          return Answer.sentence(500, "not asked here");
        }
      };

  @TempDir Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(
          (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);

  private PortProbe probe(int port, Supplier<ServingCertificate> certificate, Duration bound) {
    return new PortProbe(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ASKED, certificate, bound);
  }

  @Test
  void aServerThatAnswersIsGoodAndOneWithAnotherCertificateIsNot() {
    CertificateSource served = Served.certificates(folder);
    CertificateSource other = Served.certificates(folder.resolve("other"));
    try (WebhookServer server = WebhookServer.start(OPTIONS, served, ReviewContext.UNKNOWN)) {
      assertThat(probe(server.httpsPort(), served::current, PATIENCE).ask())
          .isEqualTo(new Outcome.Good());
      assertThat(probe(server.httpsPort(), other::current, PATIENCE).ask())
          .isInstanceOfSatisfying(
              Outcome.Broken.class,
              it -> assertThat(it.sentence()).contains("another certificate is served"));
    }
  }

  @Test
  void aServerThatAsksCallersForCertificatesAnswersItself() {
    CertificateFolder served = Served.certificates(folder);
    CertificateFolder clients = Served.certificates(folder.resolve("clients"));
    ClientCheck check = new ClientCheck(clients.caBundleFile(), Set.of("api-server"), true);
    try (WebhookServer server =
        WebhookServer.start(
            OPTIONS.toBuilder().clients(check).build(), served, ReviewContext.UNKNOWN)) {
      assertThat(probe(server.httpsPort(), served::current, PATIENCE).ask())
          .isEqualTo(new Outcome.Good());
    }
  }

  @Test
  void aPortThatIsSilentIsLateAndOneThatRefusesIsBroken() throws IOException {
    CertificateSource served = Served.certificates(folder);
    int port;
    try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      port = deaf.getLocalPort();
      assertThat(probe(port, served::current, Duration.ofMillis(300)).ask())
          .isInstanceOf(Outcome.Late.class);
    }
    assertThat(probe(port, served::current, PATIENCE).ask()).isInstanceOf(Outcome.Broken.class);
  }

  @Test
  void aPortThatIsRefusedIsNotReadyAtOnceAndUnhealthySoonAndSoIsTheWatchOfIt() throws IOException {
    CertificateSource served = Served.certificates(folder);
    int port;
    try (ServerSocket closing = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      port = closing.getLocalPort();
    }
    AtomicLong nanos = new AtomicLong();
    try (PortWatch watch =
        PortWatch.start(
            probe(port, served::current, PATIENCE),
            Duration.ofMillis(10),
            () -> nanos.addAndGet(Duration.ofSeconds(10).toNanos()),
            supervisor)) {
      await().atMost(PATIENCE).until(() -> watch.whyNotReady().isPresent());
      await().atMost(PATIENCE).until(() -> !supervisor.health().isGood());

      assertThat(supervisor.health().text()).startsWith("https: ").contains("probes failed");
    }
  }

  /** A clock that fails once when a worker asks it, as it does to look for a new certificate. */
  private static final class FailingClock implements InstantSource {
    private final Throwable fault;
    private final AtomicInteger asked = new AtomicInteger();

    private FailingClock(Throwable fault) {
      this.fault = fault;
    }

    @Override
    public Instant instant() {
      if (Thread.currentThread().getName().startsWith("sluice-worker")
          && asked.incrementAndGet() == 1) {
        FailingClock.<RuntimeException>sneak(fault);
      }
      return Instant.now();
    }

    @SuppressWarnings("unchecked") // the compiler is to believe that it is unchecked
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {AssertionError.class, IllegalStateException.class, InterruptedException.class})
  void aFaultWhereCertificatesAreCheckedIsFollowedByAnotherCheckOrTheEnd(
      Class<? extends Throwable> type) throws ReflectiveOperationException {
    Throwable fault = type.getDeclaredConstructor().newInstance();
    FailingClock clock = new FailingClock(fault);
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("127.0.0.1"),
            Lifetimes.DEFAULT,
            clock,
            new SecureRandom());
    try (WebhookServer server =
        WebhookServer.start(
            OPTIONS, certificates, ServerContext.of(ReviewContext.UNKNOWN), supervisor)) {
      if (fault instanceof Error) {
        await().atMost(PATIENCE).until(() -> !ends.isEmpty());
        assertThat(ends.getFirst()).startsWith("70 the part certificates failed with java.lang.");
      } else {
        await().atMost(PATIENCE).until(() -> clock.asked.get() > 2);
        assertThat(ends).isEmpty();
        assertThat(supervisor.part("certificates").failures()).isEqualTo(1);
        assertThat(probe(server.httpsPort(), certificates::current, PATIENCE).ask())
            .isEqualTo(new Outcome.Good());
      }
    }
  }

  @Test
  void healthIsThatOfAllPartsAndFailuresAreMeasured() throws IOException, InterruptedException {
    try (WebhookServer server =
        WebhookServer.start(
            OPTIONS,
            Served.certificates(folder),
            ServerContext.of(ReviewContext.UNKNOWN),
            supervisor)) {
      assertThat(get(server, "/healthz")).isEqualTo("200 ok\n");
      supervisor.part("broken").failed(new IOException("thrown by a test"), "it goes on");
      assertThat(get(server, "/metrics"))
          .contains("sluice_failures_total{part=\"broken\"} 1.0")
          .contains("sluice_failures_total{part=\"event-loop\"} 0.0");

      supervisor.check(() -> Optional.of("engine: stuck"));

      assertThat(get(server, "/healthz")).isEqualTo("503 engine: stuck\n");
    }
  }

  private static String get(WebhookServer server, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
