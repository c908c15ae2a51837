package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

class PermissiveTrustManagerTest {
  private final X509Certificate[] unknown = {Fixtures.serving().leaf()};

  @Test
  void acceptsAnyServerAndNoClient() throws CertificateException {
    var trust = PermissiveTrustManager.ofServers();

    trust.checkServerTrusted(unknown, "EC");

    assertThat(trust.getAcceptedIssuers()).isEmpty();
    assertThatThrownBy(() -> trust.checkClientTrusted(unknown, "EC"))
        .isInstanceOf(CertificateException.class)
        .hasMessage("the other side is a client (expected: a server)");
  }

  @Test
  void acceptsAnyClientAndNoServerAndNamesTheAuthorities() throws CertificateException {
    var trust = PermissiveTrustManager.ofClients(unknown::clone);

    trust.checkClientTrusted(unknown, "EC");

    assertThat(trust.getAcceptedIssuers()).containsExactly(unknown);
    assertThatThrownBy(() -> trust.checkServerTrusted(unknown, "EC"))
        .isInstanceOf(CertificateException.class)
        .hasMessage("the other side is a server (expected: a client)");
  }
}
