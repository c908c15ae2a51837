package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.Served;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller of HTTP/1.1 that keeps its connection sees of a server that stops. */
class Http1FarewellIT {
  private static final String REQUEST =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 2\r\n\r\n{}";
  private static final String CLOSE = "\r\nconnection: close\r\n";
  private static final int MOST = 1_000;

  @TempDir private Path dir;
  private Listening server;
  private SSLSocket caller;

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
    caller.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
    assertThat(ask()).startsWith("http/1.1 200").doesNotContain(CLOSE);
  }

  @AfterEach
  void stop() throws IOException {
    caller.close();
    server.close();
  }

  /** Sends a request, and returns the head of the answer in lower case. */
  private String ask() throws IOException {
    caller.getOutputStream().write(REQUEST.getBytes(ISO_8859_1));
    caller.getOutputStream().flush();
    InputStream in = caller.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int read = in.read();
      assertThat(read).as("after %s", head).isNotNegative();
      head.append((char) read);
    }
    String text = head.toString().toLowerCase(Locale.ROOT);
    int length = Integer.parseInt(text.replaceFirst("(?s).*content-length: (\\d+).*", "$1"));
    assertThat(in.readNBytes(length)).hasSize(length);
    return text;
  }

  private static void awaitEnd(Future<Void> stopped) throws Exception {
    stopped.await(Served.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * A proxy that keeps connections sent on, and its next request met a connection that was gone.
   */
  @Test
  void theNextAnswerAsksTheCallerToCloseAndTheCallerCloses() throws Exception {
    Future<Void> stopped = server.listener().shutdown(Served.PATIENCE);

    String answer = ask();
    for (int i = 0; i < MOST && !answer.contains(CLOSE); i++) { // it may have been under way
      answer = ask();
    }

    assertThat(answer).startsWith("http/1.1 200").contains(CLOSE);
    caller.close();
    awaitEnd(stopped);
  }

  @Test
  void aCallerThatStaysAndSaysNothingIsNotWaitedForLong() throws Exception {
    Future<Void> stopped = server.listener().shutdown(Duration.ofMinutes(10));

    awaitEnd(stopped);

    assertThat(caller.getInputStream().readAllBytes()).isEmpty(); // and then the end
  }
}
