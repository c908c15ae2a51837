package dev.sluice.cli.installed;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** New connections of a client that trusts some certificates and no others. */
final class Handshakes {
  private static final int MILLIS = 30_000;

  private Handshakes() {}

  /** The certificates of a {@code caBundle}. */
  static List<X509Certificate> certificates(String encoded) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(encoded)))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  /** What is wrong with a new connection; empty if nothing is. */
  static Optional<String> problem(List<X509Certificate> authorities, int port)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    for (X509Certificate authority : authorities) {
      store.setCertificateEntry(authority.getSerialNumber().toString(), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(MILLIS);
      socket.startHandshake();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
