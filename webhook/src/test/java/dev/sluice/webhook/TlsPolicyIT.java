package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.webhook.server.TlsPolicy;
import io.vertx.core.http.HttpServerOptions;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator chose of TLS holds in real handshakes. The certificate has a key of ECDSA. */
class TlsPolicyIT {
  private static final List<String> BOTH = List.of("TLSv1.3", "TLSv1.2");
  private static final String AES_256 = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
  private static final String AES_128 = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final String AES_128_OF_TLS13 = "TLS_AES_128_GCM_SHA256";
  private static final String AES_256_OF_TLS13 = "TLS_AES_256_GCM_SHA384";

  @TempDir private Path dir;

  /** A server that warms up and probes itself within the policy. */
  private Served serve(TlsPolicy policy) {
    return Served.with(Served.OPTIONS.toBuilder().tls(policy).build(), Served.certificates(dir));
  }

  /** The protocol and the suite that are agreed on; null if nothing is. */
  private static @Nullable String handshake(
      Served served, String protocol, String suite, @Nullable String group) throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), served.port());
        SSLSocket socket =
            (SSLSocket)
                served
                    .trust()
                    .getSocketFactory()
                    .createSocket(plain, "127.0.0.1", served.port(), true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setCipherSuites(new String[] {suite});
      if (group != null) {
        parameters.setNamedGroups(new String[] {group});
      }
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
      socket.startHandshake();
      return socket.getSession().getProtocol() + " " + socket.getSession().getCipherSuite();
    } catch (SSLException _) { // an alert, of one kind or another
      return null;
    }
  }

  @Test
  void refusesTls12WhereTls13IsTheLeast() throws Exception {
    try (Served served = serve(new TlsPolicy(List.of("TLSv1.3"), List.of(), List.of()))) {
      assertThat(handshake(served, "TLSv1.2", AES_128, null)).isNull();
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, null)).startsWith("TLSv1.3 ");
      assertThat(catchThrowable(() -> Wire.open(served.trust(), served.port(), "TLSv1.2")))
          .isInstanceOf(UncheckedIOException.class);
      assertThat(served.answers()).isTrue();
    }
  }

  @Test
  void speaksTheChosenSuitesOfTls12OnlyAndAllOfTls13() throws Exception {
    var policy =
        new TlsPolicy(BOTH, List.of(AES_256_OF_TLS13, AES_128_OF_TLS13, AES_256), List.of());
    try (Served served = serve(policy)) {
      assertThat(handshake(served, "TLSv1.2", AES_256, null)).isEqualTo("TLSv1.2 " + AES_256);
      assertThat(handshake(served, "TLSv1.2", AES_128, null)).isNull();
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, null)).isNotNull();
      assertThat(handshake(served, "TLSv1.3", AES_256_OF_TLS13, null)).isNotNull();
      assertThat(served.answers()).isTrue();
    }
  }

  @Test
  void exchangesKeysInTheChosenGroupsOnly() throws Exception {
    try (Served served = serve(new TlsPolicy(BOTH, List.of(), List.of("secp384r1")))) {
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, "secp384r1")).isNotNull();
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, "secp256r1")).isNull();
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, "x25519")).isNull();
    }
  }

  @Test
  void speaksBothVersionsUnlessToldOtherwise() throws Exception {
    try (Served served = serve(TlsPolicy.DEFAULT)) {
      assertThat(handshake(served, "TLSv1.2", AES_128, null)).isEqualTo("TLSv1.2 " + AES_128);
      assertThat(handshake(served, "TLSv1.3", AES_128_OF_TLS13, "x25519")).isNotNull();
    }
  }

  @Test
  void offersTheSuitesOfThePlatform() throws Exception {
    HttpServerOptions options = new HttpServerOptions();

    TlsPolicy.DEFAULT.applyTo(options);

    assertThat(options.getEnabledCipherSuites())
        .containsExactly(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites());
  }
}
