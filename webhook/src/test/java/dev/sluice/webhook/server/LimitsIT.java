package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.sluice.json.JsonLimits;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.Wire;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Log;
import dev.sluice.webhook.endpoint.Probe;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a listener does at its bounds, with an endpoint that answers when it is told to. */
@SuppressWarnings("NullAway.Init") // set before each test
class LimitsIT {
  private static final int LARGE = 100_000; // more than an event loop answers itself
  private static final Bounds BOUNDS =
      new Bounds(
          LARGE,
          LARGE,
          JsonLimits.DEFAULT,
          2,
          4 * LARGE,
          4,
          Duration.ofMinutes(2), // what is held here is held until the test has seen it
          Duration.ofMinutes(2),
          Duration.ofMinutes(5));

  @TempDir private Path dir;
  private final Held endpoint = new Held();
  private Listening server;

  /** Answers its body, as soon as it may. */
  private static final class Held implements Endpoint {
    private final Semaphore answers = new Semaphore(0);

    @Override
    public String path() {
      return "/held";
    }

    @Override
    public Probe probe() {
      return new Probe("", "");
    }

    @Override
    public Answer answer(byte[] body, Deadline deadline) {
      String text = new String(body, UTF_8);
      if (text.startsWith("throw")) {
        throw new IllegalStateException("secret");
      }
      if (text.startsWith("fail")) {
        throw new NoClassDefFoundError("secret");
      }
      if (body.length > RequestExchange.SMALL) {
        answers.acquireUninterruptibly();
      }
      return Answer.review(List.of(body));
    }
  }

  @BeforeEach
  void start() {
    server =
        new Listening(
            dir,
            GatedTransport.vertx(new VertxOptions()),
            BOUNDS,
            ConnectionBounds.of(BOUNDS).perAddress(4), // all of them come from here
            endpoint);
  }

  @AfterEach
  void stop() {
    endpoint.answers.release(100);
    server.close();
  }

  private void awaitGauge(String name, double value) {
    await().atMost(Served.PATIENCE).until(() -> server.gauge(name) == value);
  }

  private CompletableFuture<HttpResponse<String>> post(HttpClient client, String body) {
    return client.sendAsync(
        Served.to(server.port(), "/held").POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private Wire connect() {
    return Wire.open(server.trust(), server.port());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void answers429WhenTooManyAreBeingAnsweredAndGoesOnAfterwards(Version version) {
    try (HttpClient client = server.client(version)) {
      var first = post(client, "a".repeat(LARGE));
      var second = post(client, "b".repeat(LARGE));
      awaitGauge("sluice.requests.in.flight", 2);

      HttpResponse<String> refused = post(client, "c").join();
      endpoint.answers.release(2);

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).contains("1");
      assertThat(refused.body()).isEqualTo("too many requests at once (expected: at most 2)\n");
      assertThat(first.join().body()).startsWith("a");
      assertThat(second.join().body()).startsWith("b");
      assertThat(post(client, "c").join().body()).isEqualTo("c");
      awaitGauge("sluice.requests.in.flight", 0);
      awaitGauge("sluice.requests.bytes.in.flight", 0);
    }
  }

  @Test
  void answers429WhenTooManyBytesAreHeldAndGoesOnAfterwards() {
    try (Wire one = connect();
        Wire two = connect();
        Wire three = connect();
        HttpClient client = server.client(Version.HTTP_2)) {
      one.post("/held", LARGE, "a".repeat(LARGE - 1));
      two.post("/held", LARGE, "a".repeat(LARGE - 1));
      three.post("/held", LARGE, "a".repeat(LARGE - 1));
      awaitGauge("sluice.requests.bytes.in.flight", 3 * LARGE);
      var fourth = post(client, "d".repeat(LARGE));
      awaitGauge("sluice.requests.bytes.in.flight", 4 * LARGE);

      HttpResponse<String> refused = post(client, "e").join();
      endpoint.answers.release(4);

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).contains("1");
      assertThat(refused.body()).contains("too many bytes in flight").contains("400000");
      assertThat(fourth.join().statusCode()).isEqualTo(200);
      assertThat(one.write("z").read().body()).endsWith("az");
      assertThat(post(client, "e").join().statusCode()).isEqualTo(200);
    }
    awaitGauge("sluice.requests.bytes.in.flight", 0);
  }

  @Test
  void holdsTheBytesOfACallerThatIsGoneForAsLongAsAWorkerHasThem() {
    Wire wire = connect().post("/held", LARGE, "a".repeat(LARGE));
    awaitGauge("sluice.requests.in.flight", 1);
    wire.abort();
    awaitGauge("sluice.connections", 0);

    assertThat(server.gauge("sluice.requests.bytes.in.flight")).isEqualTo(LARGE);
    endpoint.answers.release();

    awaitGauge("sluice.requests.bytes.in.flight", 0);
    awaitGauge("sluice.requests.in.flight", 0);
  }

  @Test
  void answers500InASentenceWhateverAnEndpointThrows() {
    try (var log = new Log(RequestExchange.class);
        HttpClient client = server.client(Version.HTTP_2)) {
      for (String body : List.of("throw", "fail", "fail" + " ".repeat(50_000))) {
        HttpResponse<String> answer = post(client, body).join();

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).hasLineCount(1).doesNotContain("secret");
      }
      assertThat(log.messages(Level.ERROR)).hasSize(3);
      assertThat(server.gauge("sluice.requests.in.flight")).isZero();
      assertThat(post(client, "good").join().body()).isEqualTo("good");
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void finishesWhatIsUnderWayWhenItStops(Version version) {
    try (HttpClient client = server.client(version)) {
      var underWay = post(client, "a".repeat(LARGE));
      awaitGauge("sluice.requests.in.flight", 1);

      Future<Void> stopped = server.listener().shutdown(Duration.ofMinutes(2));
      await()
          .atMost(Served.PATIENCE)
          .untilAsserted(() -> assertThat(catchThrowable(this::connect)).isNotNull());
      assertThat(underWay).isNotDone();
      endpoint.answers.release();

      assertThat(underWay.join().body()).hasSize(LARGE);
      stopped.await();
    }
  }

  @Test
  void endsWhatTakesTooLongWhenItStops() {
    try (HttpClient client = server.client(Version.HTTP_2)) {
      var underWay = post(client, "a".repeat(LARGE));
      awaitGauge("sluice.requests.in.flight", 1);

      server.listener().shutdown(Duration.ofMillis(200)).await();

      assertThat(catchThrowable(underWay::join)).isNotNull();
    }
  }
}
