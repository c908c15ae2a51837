package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

import dev.sluice.supervision.Health;
import dev.sluice.supervision.Readiness;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.endpoint.Answer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requirements for a plain port beside event loops that serve reviews. */
class PagesServerIT {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG_ENOUGH_TO_MEET = Duration.ofMillis(20);
  private static final String PATHS = "/healthz, /readyz, /broken, /fatal, /metrics, /debug/held";
  private static final MultiCollector FAILING =
      () -> {
        throw new IllegalStateException("out of order");
      };

  private final Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
  private final Vertx vertx =
      GatedTransport.vertx(new VertxOptions()).exceptionHandler(reported::add);
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Semaphore mayGoOn = new Semaphore(0);
  private final AtomicInteger held = new AtomicInteger();
  private final PagesServer server = start(ConnectionBounds.PAGES, Duration.ofMinutes(2));

  private PagesServer start(ConnectionBounds connections, Duration longest) {
    return PagesServer.start(
            vertx,
            new ListenAddress("127.0.0.1", 0),
            List.of(
                Page.health(() -> Health.GOOD),
                Page.state("/readyz", () -> Readiness.DRAINING),
                Page.state("/broken", PagesServerIT::fail),
                Page.state("/fatal", PagesServerIT::failForGood),
                Page.metrics(registry),
                Page.report("/debug/held", this::hold)),
            registry,
            connections,
            longest)
        .await();
  }

  private static Readiness fail() {
    throw new IllegalStateException("secret");
  }

  private static Readiness failForGood() {
    throw new LinkageError("half a class path");
  }

  private Readiness hold() {
    held.incrementAndGet();
    mayGoOn.acquireUninterruptibly();
    return Readiness.READY;
  }

  @AfterEach
  void stop() {
    mayGoOn.release(1000);
    vertx.close().await();
  }

  private static HttpResponse<String> send(PagesServer to, String method, String path) {
    URI uri = URI.create("http://127.0.0.1:" + to.port() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return Served.send(
          client,
          HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build());
    }
  }

  private HttpResponse<String> get(String path) {
    return send(server, "GET", path);
  }

  private HttpResponse<String> metrics() {
    return get("/metrics");
  }

  private void measure(Supplier<Number> number) {
    Gauge.builder("counted.at.the.scrape", number).register(registry);
  }

  private static Socket connect(PagesServer to) {
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port());
      socket.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
  }

  @Test
  void saysHowItIs() {
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
    assertThat(get("/healthz?verbose").body()).isEqualTo("ok\n");
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("draining\n");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /healthz,          200",
    "GET,    /healthz?verbose,  200",
    "HEAD,   /healthz,          200",
    "POST,   /healthz,          405",
    "DELETE, /healthz,          405",
    "BREW,   /healthz,          405",
    "POST,   /debug/held,       405",
    "GET,    /healthz/,         404",
    "GET,    /healthzz,         404",
    "GET,    /healthz/deeper,   404",
    "GET,    /HEALTHZ,          404",
    "GET,    /%68ealthz,        404",
    "GET,    //healthz,         404",
    "GET,    /./healthz,        404",
    "GET,    /x/../healthz,     404",
    "GET,    /debug/nothing,    404",
    "GET,    /debug/held/more,  404",
    "GET,    /debug/../healthz, 404",
    "GET,    /%,                404",
    "GET,    /,                 404",
    "GET,    *,                 404",
    "GET,    healthz,           404",
  })
  void servesExactPathsAndReadsOnly(String method, String path, int status) throws IOException {
    try (Socket socket = connect(server)) {
      String answer =
          write(
              socket,
              "%s %s HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".formatted(method, path));

      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
      if (status == 404) {
        assertThat(answer).endsWith("(expected: one of " + PATHS + ")\n");
      } else if (status == 405) {
        assertThat(answer).containsIgnoringCase("allow: GET, HEAD");
      }
    }
  }

  @Test
  void answersHeadWithTheLengthAndNoBody() {
    HttpResponse<String> answer = send(server, "HEAD", "/healthz");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-length")).contains("3");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void aPageThatFailsIsASentenceWithoutTheReason() {
    HttpResponse<String> answer = get("/broken");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).hasLineCount(1).doesNotContain("secret");
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void anErrorReachesTheSupervisor() {
    assertThat(get("/fatal").statusCode()).isEqualTo(500);
    await().atMost(Served.PATIENCE).until(() -> !reported.isEmpty());
    assertThat(reported).singleElement().isInstanceOf(LinkageError.class);
  }

  @Test
  void whatIsFoundOutAtTheScrapeHoldsUpNoLoop() {
    Queue<Boolean> onLoops = new ConcurrentLinkedQueue<>();
    measure(
        () -> {
          onLoops.add(Context.isOnEventLoopThread());
          return 7;
        });

    assertThat(metrics().body()).contains("counted_at_the_scrape 7.0");
    assertThat(onLoops).isNotEmpty().containsOnly(false);
  }

  @Test
  void aScrapeThatFailsIsAnsweredAndTheNextOneWorks() {
    registry.getPrometheusRegistry().register(FAILING);
    assertThat(metrics().statusCode()).isEqualTo(500);

    registry.getPrometheusRegistry().unregister(FAILING);
    assertThat(metrics().statusCode()).isEqualTo(200);
  }

  @Test
  void ofManyWhoScrapeAtOnceEachIsServedInItsTurn() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    measure(
        () -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          long end = System.nanoTime() + LONG_ENOUGH_TO_MEET.toNanos();
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          return running.decrementAndGet();
        });

    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpResponse<String>>> answers =
          Stream.generate(() -> callers.submit(this::metrics)).limit(8).toList();

      assertThat(answers).allSatisfy(it -> assertThat(it.get().statusCode()).isEqualTo(200));
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void manyWhoAskForASlowPageAreAllAnsweredAndHealthMeanwhile() {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<HttpResponse<String>>> calls =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> get("/debug/held"), callers))
              .limit(40)
              .toList();

      await().atMost(Served.PATIENCE).untilAtomic(held, greaterThan(0));
      assertThat(get("/healthz").statusCode()).isEqualTo(200);
      mayGoOn.release(1000);

      assertThat(calls).allSatisfy(it -> assertThat(it.join().statusCode()).isEqualTo(200));
    }
  }

  @Test
  void aPageThatTakesTooLongIsASentence() {
    PagesServer hasty = start(ConnectionBounds.PAGES, SHORT);

    HttpResponse<String> answer = send(hasty, "GET", "/debug/held");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("takes too long").hasLineCount(1);
  }

  @Test
  void cutsCallersThatSendHalfARequest() throws IOException {
    PagesServer hasty =
        start(new ConnectionBounds(100, 100, SHORT, Duration.ofMinutes(5)), Duration.ofMinutes(2));
    List<Socket> half = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      half.add(connect(hasty));
    }

    for (Socket socket : half) {
      assertThat(write(socket, "GET /healthz HTTP/1.1\r\nhost:")).isEmpty();
      socket.close();
    }
  }

  @Test
  void manyIdleConnectionsDoNotLockTheKubeletOut() throws IOException {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      idle.add(connect(server));
    }

    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(write(idle.getFirst(), "")).isEmpty();
    for (Socket socket : idle) {
      socket.close();
    }
  }

  @Test
  void doesNotWaitForTheBodyOfARequestThatShouldHaveNone() throws IOException {
    try (Socket socket = connect(server)) {
      String answer =
          write(socket, "POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nabcde");

      assertThat(answer).startsWith("HTTP/1.1 405 ");
    }
  }

  @Test
  void hangsUpOnACallerThatNeverTakesItsAnswer() throws IOException {
    String large = "x".repeat(32 << 20);
    PagesServer hasty =
        PagesServer.start(
                vertx,
                new ListenAddress("127.0.0.1", 0),
                List.of(new Page("/large", true, () -> Answer.sentence(200, large))),
                registry,
                ConnectionBounds.PAGES,
                SHORT)
            .await();
    try (Socket socket = connect(hasty)) {
      socket.getOutputStream().write("GET /large HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(ISO_8859_1));
      await()
          .atMost(Served.PATIENCE)
          .until(() -> socket.getInputStream().available() > 0); // and is not read

      await().atMost(Served.PATIENCE).untilAsserted(() -> assertThat(hasty.connections()).isZero());
    }
  }
}
