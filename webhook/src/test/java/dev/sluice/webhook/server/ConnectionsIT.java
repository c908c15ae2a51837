package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.webhook.Served;
import dev.sluice.webhook.Wire;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which connections of the HTTPS port stay open, and which are closed. */
@SuppressWarnings("NullAway.Init") // set by each test
class ConnectionsIT {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final ConnectionBounds FOUR =
      new ConnectionBounds(4, 4, Duration.ofMinutes(2), Duration.ofMinutes(5));
  private static final ConnectionBounds HASTY =
      new ConnectionBounds(100, 100, SHORT, Duration.ofMinutes(5));
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String NO_SETTINGS = "000000" + "04" + "00" + "00000000";
  private static final String HELD = "hold me";

  @TempDir private Path dir;
  private final Echo endpoint = new Echo();
  private Listening server;

  /** Answers its body; some wait until they may. */
  private static final class Echo extends EchoEndpoint {
    private final Semaphore answers = new Semaphore(0);

    @Override
    public Answer answer(byte[] body, Deadline deadline) {
      if (new String(body, UTF_8).equals(HELD)) {
        answers.acquireUninterruptibly();
      }
      return super.answer(body, deadline);
    }
  }

  private void start(ConnectionBounds connections) {
    server =
        new Listening(
            dir, GatedTransport.vertx(new VertxOptions()), Served.PATIENT, connections, endpoint);
  }

  @AfterEach
  void stop() {
    endpoint.answers.release(100);
    server.close();
  }

  private Wire connect() {
    return Wire.open(server.trust(), server.port());
  }

  private static String ask(Wire wire, String text) {
    return wire.post("/echo", text.length(), text).read().body();
  }

  private Wire asking(String text) {
    Wire wire = connect();
    assertThat(ask(wire, text)).isEqualTo(text);
    return wire;
  }

  private Socket tcp(String from) {
    try {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      socket.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (java.net.SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true; // a reset is a close, too
    }
  }

  @Test
  void aThousandIdleConnectionsDoNotLockTheNextOneOut() throws IOException {
    start(ConnectionBounds.of(Bounds.DEFAULT));
    List<Socket> idle = new ArrayList<>();
    try (HttpClient client = server.client(HttpClient.Version.HTTP_2)) {
      for (int i = 0; i < 1100; i++) {
        idle.add(tcp(i % 2 == 0 ? "127.0.0.1" : "127.0.0.2"));
      }

      var answer =
          Served.send(
              client,
              Served.to(server.port(), "/echo")
                  .POST(java.net.http.HttpRequest.BodyPublishers.ofString("honest"))
                  .build());

      assertThat(answer.body()).isEqualTo("honest");
      assertThat(server.gauge("sluice.connections")).isLessThanOrEqualTo(1000);
      assertThat(isClosed(idle.getFirst())).as("the longest idle").isTrue();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void closesTheLongestIdleConnectionForANewOne() {
    start(FOUR);
    try (Wire one = asking("1");
        Wire two = asking("2");
        Wire three = asking("3");
        Wire four = asking("4")) {
      assertThat(ask(one, "1 again")).isEqualTo("1 again");

      try (Wire five = asking("5")) {
        assertThat(two.isClosedByPeer()).isTrue();
        assertThat(ask(one, "1")).isEqualTo("1");
        assertThat(ask(three, "3")).isEqualTo("3");
        assertThat(ask(four, "4")).isEqualTo("4");
        assertThat(ask(five, "5")).isEqualTo("5");
      }
    }
    await().atMost(Served.PATIENCE).until(() -> server.gauge("sluice.connections") == 0);
  }

  @Test
  void refusesTheNewestWhereAllHaveARequestInHand() {
    start(FOUR);
    List<Wire> busy = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      busy.add(connect().post("/echo", HELD.length(), HELD));
    }
    await().atMost(Served.PATIENCE).until(() -> server.gauge("sluice.requests.in.flight") == 4);

    Socket next = tcp("127.0.0.1");

    assertThat(isClosed(next)).isTrue();
    endpoint.answers.release(4);
    assertThat(busy).allSatisfy(wire -> assertThat(wire.read().body()).isEqualTo(HELD));
    try (Wire later = asking("later")) {
      assertThat(ask(later, "on")).isEqualTo("on");
    }
    busy.forEach(Wire::close);
  }

  @Test
  void closesNoConnectionWithAStreamInHandAndOneWhoseStreamsWereReset() {
    start(FOUR);
    Vertx vertx = Vertx.vertx();
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setTrustAll(true)
            .setVerifyHost(false);
    HttpClientAgent holding = vertx.createHttpClient(options);
    HttpClientAgent resetting = vertx.createHttpClient(options);
    AtomicBoolean closed = new AtomicBoolean();
    try {
      // taken before the answer can come: a body that arrives without a taker is lost
      Future<Buffer> held = post(holding).send(HELD).compose(HttpClientResponse::body);
      HttpClientRequest reset = post(resetting);
      reset.connection().closeHandler(_ -> closed.set(true));
      reset.setChunked(true).write("half a body").await();
      reset.reset(8).await();
      await().atMost(Served.PATIENCE).until(() -> server.gauge("sluice.requests.in.flight") == 1);
      await().atMost(Served.PATIENCE).until(() -> server.gauge("sluice.connections") == 2);

      try (Wire three = asking("3");
          Wire four = asking("4");
          Wire five = asking("5")) {
        await().atMost(Served.PATIENCE).untilTrue(closed);
        assertThat(ask(three, "3")).isEqualTo("3");
        assertThat(ask(four, "4")).isEqualTo("4");
        assertThat(ask(five, "5")).isEqualTo("5");
      }
      endpoint.answers.release();
      assertThat(held.await().toString()).isEqualTo(HELD);
    } finally {
      vertx.close().await();
    }
  }

  private HttpClientRequest post(HttpClientAgent client) {
    return client
        .request(
            new io.vertx.core.http.RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(server.port())
                .setURI("/echo")
                .putHeader("content-type", "application/json"))
        .await();
  }

  @Test
  void aFloodFromOneAddressCostsItsOwnConnections() throws IOException {
    start(new ConnectionBounds(4, 3, Duration.ofMinutes(2), Duration.ofMinutes(5)));
    try (Socket longestIdle = tcp("127.0.0.2");
        Socket first = tcp("127.0.0.3");
        Socket second = tcp("127.0.0.3");
        Socket third = tcp("127.0.0.3");
        Socket other = tcp("127.0.0.4")) {
      assertThat(isClosed(first)).isTrue();
      longestIdle.setSoTimeout(1);
      second.setSoTimeout(1);
      third.setSoTimeout(1);
      other.setSoTimeout(1);
      assertThat(Stream.of(longestIdle, second, third, other)).noneMatch(ConnectionsIT::isClosed);
    }
  }

  @Test
  void anAddressAtItsBoundIsServedOutOfItsOwnConnections() throws IOException {
    start(new ConnectionBounds(4, 2, Duration.ofMinutes(2), Duration.ofMinutes(5)));
    try (Socket other = tcp("127.0.0.2");
        Socket first = tcp("127.0.0.3");
        Socket second = tcp("127.0.0.3");
        Socket third = tcp("127.0.0.3")) {
      assertThat(isClosed(first)).isTrue();
      assertThat(server.gauge("sluice.connections")).isEqualTo(3);
      other.setSoTimeout(1);
      second.setSoTimeout(1);
      third.setSoTimeout(1);
      assertThat(Stream.of(other, second, third)).noneMatch(ConnectionsIT::isClosed);
    }
  }

  /** What a caller says slowly, and what it says before at once; a character is a byte. */
  record Dribble(String what, boolean isTls, boolean isHttp2, String before, String slow) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static String hex(String preface, String... frames) {
    return preface + new String(HexFormat.of().parseHex(String.join("", frames)), ISO_8859_1);
  }

  /** POST /echo with an empty body, on a stream of its own. */
  private static String request(int stream) {
    String block =
        "8387" // POST, https
            + literal("04", "/echo")
            + literal("01", "localhost")
            + literal("0f10", "application/json");
    return "%06x".formatted(block.length() / 2) + "01" + "05" + "%08x".formatted(stream) + block;
  }

  private static String literal(String name, String value) {
    return name + "%02x".formatted(value.length()) + HexFormat.of().formatHex(text(value));
  }

  static Stream<Dribble> dribbles() {
    String nothing = "";
    String head = "POST /echo HTTP/1.1\r\nhost: localhost\r\nx-slow: " + "y".repeat(5000);
    String whole = Wire.head("POST /echo HTTP/1.1", "content-length: 2") + "ab";
    String settings = PREFACE;
    String slowHeaders = hex("", "000400" + "01" + "04" + "00000003", "00".repeat(1000));
    String slowBlock =
        hex(
            "",
            "000001" + "01" + "01" + "00000003" + "83",
            ("000001090000000003" + "87").repeat(500));
    return Stream.of(
        new Dribble("nothing at all", false, false, nothing, nothing),
        new Dribble(
            "half a handshake", false, false, nothing, hex("", "160301020001" + "00".repeat(500))),
        new Dribble("nothing after the handshake", true, false, nothing, nothing),
        new Dribble("the first head", true, false, nothing, head),
        new Dribble("the second head", true, false, whole, head),
        new Dribble("no preface of HTTP/2", true, true, nothing, nothing),
        new Dribble("the preface of HTTP/2", true, true, nothing, settings.repeat(100)),
        new Dribble("no request of HTTP/2", true, true, hex(PREFACE, NO_SETTINGS), nothing),
        new Dribble(
            "a frame of HTTP/2", true, true, hex(PREFACE, NO_SETTINGS, request(1)), slowHeaders),
        new Dribble(
            "a block of HTTP/2", true, true, hex(PREFACE, NO_SETTINGS, request(1)), slowBlock));
  }

  @ParameterizedTest
  @MethodSource("dribbles")
  void cutsACallerWhoseHeadDoesNotArriveInTime(Dribble dribble) throws IOException {
    start(HASTY);
    long began = System.nanoTime();
    try (Socket plain = tcp("127.0.0.1");
        Socket socket = dribble.isTls() ? handshake(plain, dribble.isHttp2()) : plain;
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor()) {
      socket.getOutputStream().write(text(dribble.before()));
      socket.getOutputStream().flush();
      drip(drip, socket, text(dribble.slow()));

      assertThat(isClosed(socket)).isTrue();
    }
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(SHORT.toNanos());
    await().atMost(Served.PATIENCE).until(() -> server.gauge("sluice.connections") == 0);
    assertThat(server.counter("sluice.connections.closed", "reason", "slow")).isEqualTo(1);
  }

  private static void drip(ScheduledExecutorService drip, Socket socket, byte[] bytes) {
    int[] next = {0};
    var _ =
        drip.scheduleAtFixedRate(
            () -> {
              try {
                if (next[0] < bytes.length) {
                  socket.getOutputStream().write(bytes, next[0]++, 1);
                  socket.getOutputStream().flush();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e); // ends the dripping
              }
            },
            20,
            20,
            TimeUnit.MILLISECONDS);
  }

  private SSLSocket handshake(Socket plain, boolean isHttp2) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            server.trust().getSocketFactory().createSocket(plain, "127.0.0.1", server.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {isHttp2 ? "h2" : "http/1.1"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  @Test
  void leavesCallersAloneThatAskedOnceAndAreSilent() {
    start(HASTY);
    try (HttpClient http2 = server.client(HttpClient.Version.HTTP_2);
        Wire wire = asking("first");
        Socket silent = tcp("127.0.0.1")) {
      assertThat(send(http2)).isEqualTo("again");

      assertThat(isClosed(silent)).as("time for a head is over").isTrue();

      assertThat(ask(wire, "second")).isEqualTo("second");
      assertThat(send(http2)).isEqualTo("again");
      assertThat(server.gauge("sluice.connections")).isEqualTo(2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String send(HttpClient client) {
    return Served.send(
            client,
            Served.to(server.port(), "/echo")
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString("again"))
                .build())
        .body();
  }

  @Test
  void givesABodyMoreTimeThanAHead() {
    start(HASTY);
    try (Wire wire = connect().post("/echo", 4, "bo");
        Socket silent = tcp("127.0.0.1")) {
      assertThat(isClosed(silent)).as("time for a head is over").isTrue();

      assertThat(wire.write("dy").read().body()).isEqualTo("body");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
