package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.server.Bounds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which protocols the server speaks. */
@SuppressWarnings("NullAway.Init") // set before all tests
class TlsIT {
  private static final int HANDSHAKE = 22;
  private static final int ALERT = 21;
  private static final int PROTOCOL_VERSION = 70;

  @TempDir private static Path dir;
  private static Served served;

  @BeforeAll
  static void start() {
    served = Served.within(dir, Bounds.DEFAULT);
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.3, HTTP_2", "TLSv1.3, HTTP_1_1", "TLSv1.2, HTTP_2", "TLSv1.2, HTTP_1_1"})
  void answersOver(String protocol, Version version) {
    var parameters = new SSLParameters();
    parameters.setProtocols(new String[] {protocol});
    try (HttpClient client =
        HttpClient.newBuilder()
            .sslContext(served.trust())
            .sslParameters(parameters)
            .version(version)
            .build()) {
      HttpResponse<String> answer = served.post(client, "/convert", Texts.conversion("u", "a"));

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo(protocol);
    }
  }

  @ParameterizedTest
  @CsvSource({"'h2,http/1.1', h2", "'http/1.1,h2', h2", "http/1.1, http/1.1", "h2, h2"})
  void prefersHttp2OfWhatIsOffered(String offered, String chosen) throws IOException {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), served.port());
        SSLSocket socket =
            (SSLSocket)
                served
                    .trust()
                    .getSocketFactory()
                    .createSocket(plain, "127.0.0.1", served.port(), true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(offered.split(",", -1));
      socket.setSSLParameters(parameters);

      socket.startHandshake();

      assertThat(socket.getApplicationProtocol()).isEqualTo(chosen);
    }
  }

  @Test
  void speaksHttp11ToThoseWhoOfferNothing() {
    try (Wire wire = served.connect()) {
      String body = Texts.conversion("u", "a");

      assertThat(wire.post(body.length(), body).read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"770", "769", "768"}) // TLS 1.1, TLS 1.0, SSL 3
  void refusesOldProtocols(int version) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(clientHello(version));

      byte[] answer = socket.getInputStream().readAllBytes();

      assertThat(answer).as(new String(answer, ISO_8859_1)).hasSizeGreaterThanOrEqualTo(7);
      assertThat(answer[0]).isEqualTo((byte) ALERT);
      assertThat(answer[6]).isEqualTo((byte) PROTOCOL_VERSION);
    }
  }

  /** A greeting of a client that knows nothing newer than this version. */
  private static byte[] clientHello(int version) throws IOException {
    var hello = new ByteArrayOutputStream();
    var out = new DataOutputStream(hello);
    out.writeShort(version);
    out.write(new byte[32]); // random
    out.writeByte(0); // no session
    out.writeShort(4);
    out.writeShort(0xc009); // ECDHE with ECDSA, AES 128, SHA
    out.writeShort(0x002f); // RSA, AES 128, SHA
    out.writeByte(1);
    out.writeByte(0); // no compression
    var record = new ByteArrayOutputStream();
    var framed = new DataOutputStream(record);
    framed.writeByte(HANDSHAKE);
    framed.writeShort(Math.min(version, 0x0301));
    framed.writeShort(hello.size() + 4);
    framed.writeInt(1 << 24 | hello.size());
    framed.write(hello.toByteArray());
    return record.toByteArray();
  }
}
