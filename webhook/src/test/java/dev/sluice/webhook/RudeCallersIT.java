package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.json.JsonLimits;
import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.server.Bounds;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that do not keep to the protocol, or go away, or take their time. */
@FullTier
@SuppressWarnings("NullAway.Init") // set before all tests
class RudeCallersIT {
  private static final Bounds BOUNDS =
      new Bounds(
          40 << 20,
          160L << 20,
          JsonLimits.DEFAULT,
          1000,
          128L << 20,
          1000,
          Duration.ofSeconds(3),
          Duration.ofSeconds(3),
          Duration.ofMinutes(5));

  /** Time for a large body and its conversion, and then as long again to take the answer. */
  private static final Bounds UNHURRIED =
      new Bounds(
          BOUNDS.maxBodyBytes(),
          BOUNDS.maxAnswerBytes(),
          BOUNDS.json(),
          BOUNDS.maxConcurrent(),
          BOUNDS.maxBytesInFlight(),
          BOUNDS.maxConnections(),
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          BOUNDS.idleTimeout());

  private static final String GOOD = Texts.conversion("good", "a");

  @TempDir private static Path dir;
  private static Served served;
  private static Vertx vertx;
  private static HttpClientAgent http2;

  @BeforeAll
  static void start() {
    served = Served.within(dir, BOUNDS);
    vertx = Vertx.vertx();
    http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setTrustAll(true)
                .setVerifyHost(false));
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    served.close();
  }

  @AfterEach
  void everythingIsGivenBackAndTheNextGoodRequestIsAnswered() {
    assertAllIsGivenBackAndTheNextIsAnswered(served);
  }

  private static void assertAllIsGivenBackAndTheNextIsAnswered(Served by) {
    await()
        .atMost(Served.PATIENCE)
        .until(() -> by.bytesInFlight() == 0 && by.metric("sluice_requests_in_flight") == 0);
    assertThat(by.answers()).isTrue();
  }

  @Test
  void tellsACallerWhoseBodyDribblesAndHangsUp() {
    try (Wire wire = served.connect();
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor()) {
      wire.post(10_000, "{");
      Future<?> dripping =
          drip.scheduleAtFixedRate(() -> wire.write(" "), 50, 50, TimeUnit.MILLISECONDS);

      Wire.Reply reply = wire.read();

      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.body()).contains("did not arrive in time").contains("3000 ms");
      assertThat(reply.head()).contains("connection: close").contains("retry-after: 1");
      assertThat(wire.isClosedByPeer()).isTrue();
      dripping.cancel(true);
    }
  }

  @Test
  void givesABodyNoMoreTimeThanTheCallerHas() {
    try (Wire wire = served.connect()) {
      Wire.Reply reply = wire.post("/convert?timeout=100ms", 100, "{").read();

      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.body()).contains("100 ms");
    }
  }

  @Test
  void closesWhenTheCallerShutsItsSideAfterHalfABody() throws IOException {
    try (Wire wire = served.connect()) {
      wire.post(100, "{\"half\":").socket().shutdownOutput();

      assertThat(wire.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void closesOnPlainHttp() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("GET /convert HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));

      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);

      assertThat(answer).hasSizeLessThan(20).doesNotContain("HTTP"); // at most a TLS alert
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000\u0001\u0002\u0003\r\n\r\n",
        "BREW tea HTCPCP/1.0\r\n\r\n",
        "POST /convert HTTP/1.1\r\nhost: a\r\nno colon here\r\n\r\n",
        """
        POST /convert HTTP/1.1\r
        host: a\r
        content-type: application/json\r
        transfer-encoding: chunked\r
        \r
        zz\r
        {}\r
        """,
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\ngarbage",
      })
  void answersGarbageWithAtMostARefusalAndHangsUp(String garbage) {
    try (Wire wire = served.connect()) {
      String rest = wire.write(garbage).rest();

      if (!rest.isEmpty()) {
        assertThat(rest).containsPattern("^[A-Z]+/\\d\\.\\d (400|501) ");
      }
    }
  }

  @Test
  void refusesHeadersThatAreTooLong() {
    try (Wire wire = served.connect()) {
      wire.write(Wire.head("POST /convert HTTP/1.1", "x: " + "y".repeat(20 << 10)));

      assertThat(wire.rest()).containsPattern("^HTTP/1.1 431 ");
    }
  }

  @Test
  void refusesALineThatIsTooLong() {
    try (Wire wire = served.connect()) {
      wire.write(Wire.head("POST /" + "y".repeat(5 << 10) + " HTTP/1.1"));

      assertThat(wire.rest()).containsPattern("^HTTP/1.\\d 414 ");
    }
  }

  @Test
  void refusesTwoLengths() {
    try (Wire wire = served.connect()) {
      wire.write(Wire.head("POST /convert HTTP/1.1", "content-length: 2", "content-length: 99"));

      assertThat(wire.write("{}").rest()).containsPattern("^HTTP/1.1 400 ");
    }
  }

  @Test
  void readsNoSecondRequestOutOfABodyWithLengthAndChunks() {
    String smuggled = Wire.head("GET /convert HTTP/1.1");
    try (Wire wire = served.connect()) {
      wire.write(
          Wire.head("POST /convert HTTP/1.1", "content-length: 4", "transfer-encoding: chunked"));
      wire.write(Integer.toHexString(smuggled.length()) + "\r\n" + smuggled + "\r\n0\r\n\r\n");

      assertThat(wire.read().status()).isEqualTo(400); // the smuggled text is no JSON
      wire.socket().shutdownOutput();
      assertThat(wire.rest()).isEmpty(); // and no request
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answersHttp10AndHangsUp() {
    try (Wire wire = served.connect()) {
      wire.write(Wire.head("POST /convert HTTP/1.0", "content-length: " + GOOD.length()) + GOOD);

      Wire.Reply reply = wire.read();

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).contains("\"uid\":\"good\"");
      assertThat(wire.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void asksForTheBodyOfACallerThatWaitsToBeAsked() {
    try (Wire wire = served.connect()) {
      wire.write(
          Wire.head(
              "POST /convert HTTP/1.1",
              "expect: 100-continue",
              "content-length: " + GOOD.length()));

      assertThat(wire.readWithoutBody().status()).isEqualTo(100);
      assertThat(wire.write(GOOD).read().status()).isEqualTo(200);
    }
  }

  @Test
  void doesNotAskForABodyThatIsTooLarge() {
    try (Wire wire = served.connect()) {
      wire.write(
          Wire.head("POST /convert HTTP/1.1", "expect: 100-continue", "content-length: 99999999"));

      Wire.Reply reply = wire.read();

      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.head()).contains("connection: close");
      assertThat(wire.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void hangsUpOnACallerThatGoesOnAfterARefusal() {
    try (Wire wire = served.connect();
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor()) {
      wire.write(Wire.head("POST /nowhere HTTP/1.1", "content-length: 1000000"));
      Future<?> dripping =
          drip.scheduleAtFixedRate(() -> wire.write(" "), 20, 20, TimeUnit.MILLISECONDS);

      assertThat(wire.read().status()).isEqualTo(404);
      assertThat(wire.isClosedByPeer()).isTrue();
      dripping.cancel(true);
    }
  }

  @Test
  void answersRequestsThatWereSentWithoutWaitingInTheirOrder() {
    try (Wire wire = served.connect()) {
      String large = Texts.largeConversion("large", 200); // answered by a worker
      wire.post(large.length(), large);
      wire.write(Wire.head("HEAD /convert HTTP/1.1"));
      wire.write(Wire.head("GET /nowhere HTTP/1.1"));
      wire.post(GOOD.length(), GOOD);

      assertThat(wire.read().body()).contains("\"uid\":\"large\"");
      assertThat(wire.readWithoutBody().status()).isEqualTo(405);
      assertThat(wire.read().status()).isEqualTo(404);
      assertThat(wire.read().body()).contains("\"uid\":\"good\"");
    }
  }

  @Test
  void answersAGoodRequestBeside200IdleConnections() {
    List<Wire> idle = new ArrayList<>();
    try {
      IntStream.range(0, 200).forEach(_ -> idle.add(served.connect()));
      await().atMost(Served.PATIENCE).until(() -> served.metric("sluice_connections") >= 200);

      assertThat(served.answers()).isTrue();
      Wire last = idle.getLast();
      assertThat(last.post(GOOD.length(), GOOD).read().status()).isEqualTo(200);
    } finally {
      idle.forEach(Wire::close);
    }
    await().atMost(Served.PATIENCE).until(() -> served.metric("sluice_connections") < 10);
  }

  @Test
  void hangsUpOnACallerThatNeverReadsItsAnswer(@TempDir Path folder) {
    String large = Texts.largeConversion("unread", 60_000); // more than systems hold for a socket
    try (Served unhurried = Served.within(folder, UNHURRIED);
        Wire wire = unhurried.connect()) {
      wire.post(large.length(), large);

      await().atMost(Served.PATIENCE).until(() -> unhurried.bytesInFlight() > 0);
      await().atMost(Served.PATIENCE).until(() -> unhurried.bytesInFlight() == 0);
      String rest = wire.rest();

      assertThat(rest).startsWith("HTTP/1.1 200").hasSizeLessThan(large.length());
      assertAllIsGivenBackAndTheNextIsAnswered(unhurried);
    }
  }

  @Test
  void endsAStreamThatIsNeverReadAndServesTheOthersOfItsConnection(@TempDir Path folder) {
    String large = Texts.largeConversion("unread", 20_000); // thrice the window of its stream
    try (Served unhurried = Served.within(folder, UNHURRIED)) {
      HttpClientResponse unread =
          request(unhurried).send(Buffer.buffer(large)).map(HttpClientResponse::pause).await();
      await().atMost(Served.PATIENCE).until(() -> unhurried.bytesInFlight() > 0);

      HttpClientResponse other = request(unhurried).send(Buffer.buffer(GOOD)).await();
      await().atMost(Served.PATIENCE).until(() -> unhurried.bytesInFlight() == 0);

      assertThat(unread.statusCode()).isEqualTo(200);
      assertThat(other.statusCode()).isEqualTo(200);
      assertThat(other.request().connection()).isSameAs(unread.request().connection());
      assertAllIsGivenBackAndTheNextIsAnswered(unhurried);
    }
  }

  @Test
  void forgetsCallersThatGoAwayInTheMiddleOfABody() {
    for (int i = 0; i < 300; i++) {
      served.connect().post(100_000, "{" + " ".repeat(i * 100)).abort();
    }
  }

  @Test
  void forgetsCallersThatGoAwayBeforeTheirAnswer() {
    String large = Texts.largeConversion("gone", 5_000);
    for (int i = 0; i < 50; i++) {
      served.connect().post(large.length(), large).abort();
    }
  }

  @Test
  void forgetsStreamsThatAreReset() {
    for (int i = 0; i < 150; i++) {
      HttpClientRequest request = request();
      request.setChunked(true).write(Buffer.buffer("{" + " ".repeat(i * 100))).await();
      request.reset(8);
    }
    String large = Texts.largeConversion("gone", 5_000);
    for (int i = 0; i < 20; i++) {
      HttpClientRequest request = request();
      request.setChunked(true).end(Buffer.buffer(large)).await();
      request.reset(8);
    }
  }

  @Test
  void aRefusedBodyTakesNoRoomFromTheOtherStreamsOfItsConnection() {
    List<HttpClientRequest> refused = new ArrayList<>();
    for (int i = 0; i < 40; i++) { // each fills its window; all together twice the connection's
      HttpClientRequest request = request();
      request.putHeader("content-type", "text/plain").setChunked(true);
      request.write(Buffer.buffer(new byte[1 << 20])).onFailure(_ -> {});
      refused.add(request);
    }

    HttpClientResponse good = request().send(Buffer.buffer(GOOD)).await();

    assertThat(good.statusCode()).isEqualTo(200);
    assertThat(refused)
        .allSatisfy(request -> assertThat(request.response().await().statusCode()).isEqualTo(415));
  }

  @Test
  void servesOthersWhileOneConnectionOpensAllItsStreams() {
    List<HttpClientRequest> open =
        IntStream.range(0, 900)
            .mapToObj(
                _ -> {
                  HttpClientRequest request = request();
                  request.setChunked(true).writeHead().await();
                  return request;
                })
            .toList();

    assertThat(served.bytesInFlight()).isGreaterThanOrEqualTo(1);
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      assertThat(served.post(client, "/convert", GOOD).statusCode()).isEqualTo(200);
    }
    assertThat(open)
        .allSatisfy(request -> assertThat(request.response().await().statusCode()).isEqualTo(503));
  }

  private static HttpClientRequest request() {
    return request(served);
  }

  private static HttpClientRequest request(Served to) {
    return http2
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(to.port())
                .setURI("/convert")
                .putHeader("content-type", "application/json"))
        .await();
  }
}
