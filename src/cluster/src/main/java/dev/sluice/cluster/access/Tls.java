package dev.sluice.cluster.access;

import dev.sluice.certs.ClientKeyManager;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS as a client. */
final class Tls {
  private Tls() {}

  /**
   * A context that shows and trusts what is current at each handshake.
   *
   * @param serverName the name to ask for and to expect, in place of the one of the address
   */
  static SSLContext context(
      Renewed<Credential> credential,
      Renewed<X509ExtendedTrustManager> trust,
      Optional<String> serverName) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new ClientKeyManager(() -> credential.get().certificate())},
          new TrustManager[] {new CurrentTrust(trust)},
          null);
      return serverName.<SSLContext>map(it -> NamedServer.context(context, it)).orElse(context);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot do TLS", e);
    }
  }
}
