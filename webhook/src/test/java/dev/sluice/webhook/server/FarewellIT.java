package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.Served;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller of HTTP/2 sees of a server that stops, frame by frame. */
class FarewellIT {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String NO_SETTINGS = "000000" + "04" + "00" + "00000000";
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ANY_STREAM = Integer.MAX_VALUE;

  @TempDir private Path dir;
  private Listening server;
  private SSLSocket caller;

  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Frame(int type, int flags, int stream, byte[] payload) {
    boolean ends(int number) {
      return type <= 1 && stream == number && (flags & END_STREAM) != 0;
    }
  }

  @BeforeEach
  void connect() throws IOException {
    server =
        new Listening(
            dir,
            GatedTransport.vertx(new VertxOptions()),
            Served.PATIENT,
            ConnectionBounds.of(Served.PATIENT),
            new EchoEndpoint());
    caller = (SSLSocket) server.trust().getSocketFactory().createSocket("127.0.0.1", server.port());
    SSLParameters parameters = caller.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    caller.setSSLParameters(parameters);
    caller.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
    caller.startHandshake();
    send(PREFACE.getBytes(ISO_8859_1));
    send(HexFormat.of().parseHex(NO_SETTINGS));
    send(request(1));
    readUntil(frame -> frame.ends(1));
  }

  @AfterEach
  void stop() throws IOException {
    caller.close();
    server.close();
  }

  private void send(byte[] bytes) throws IOException {
    caller.getOutputStream().write(bytes);
    caller.getOutputStream().flush();
  }

  /** POST /echo with an empty body. */
  private static byte[] request(int stream) {
    String block =
        "8387" // POST, https
            + literal("04", "/echo")
            + literal("01", "localhost")
            + literal("0f10", "application/json");
    return HexFormat.of()
        .parseHex(
            "%06x".formatted(block.length() / 2) + "01" + "05" + "%08x".formatted(stream) + block);
  }

  private static String literal(String name, String value) {
    return name
        + "%02x".formatted(value.length())
        + HexFormat.of().formatHex(value.getBytes(ISO_8859_1));
  }

  private Frame readUntil(Predicate<Frame> wanted) throws IOException {
    DataInputStream in = new DataInputStream(caller.getInputStream());
    while (true) {
      byte[] head = new byte[9];
      in.readFully(head);
      int length = ByteBuffer.wrap(head).getInt(0) >>> 8;
      byte[] payload = new byte[length];
      in.readFully(payload);
      Frame frame = new Frame(head[3], head[4], ByteBuffer.wrap(head).getInt(5), payload);
      if (wanted.test(frame)) {
        return frame;
      }
    }
  }

  private static void awaitEnd(Future<Void> stopped) throws Exception {
    stopped.await(Served.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * An API server sends over its one connection until it has read the farewell. Closed before, the
   * connection was reset, and an answer that was not read yet was lost: "server sent GOAWAY and
   * closed the connection", a failed write in the cluster.
   */
  @Test
  void whatIsSentBeforeTheCallerKnowsIsAnsweredAndTheCallerCloses() throws Exception {
    Future<Void> stopped = server.listener().shutdown(Served.PATIENCE);
    Frame farewell = readUntil(frame -> frame.type() == GOAWAY);

    send(request(3));
    send(request(5));

    Set<Integer> unanswered = new HashSet<>(Set.of(3, 5)); // either may be the first
    readUntil(frame -> unanswered.removeIf(frame::ends) && unanswered.isEmpty());
    assertThat(ByteBuffer.wrap(farewell.payload()).getInt(0)).isEqualTo(ANY_STREAM);
    assertThat(ByteBuffer.wrap(farewell.payload()).getInt(4)).as("no error").isZero();
    caller.close();
    awaitEnd(stopped);
  }

  @Test
  void aCallerThatStaysAndSaysNothingIsNotWaitedForLong() throws Exception {
    Future<Void> stopped = server.listener().shutdown(Duration.ofMinutes(10));

    awaitEnd(stopped);

    assertThat(caller.getInputStream().readAllBytes()).isNotEmpty(); // and then the end
  }
}
