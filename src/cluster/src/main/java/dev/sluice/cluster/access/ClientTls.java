package dev.sluice.cluster.access;

import dev.sluice.certs.ClientKeyManager;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;

/** TLS as a client: shows and trusts what is current at each handshake. */
final class ClientTls implements TlsSocketStrategy {
  private static final int HANDSHAKE_MILLIS = 10_000;

  private final SSLContext context;
  private final Optional<String> serverName;

  /**
   * TLS for one server.
   *
   * @param serverName the name to ask for and to expect, in place of the one of the address
   */
  ClientTls(
      Renewed<Credential> credential,
      Renewed<X509ExtendedTrustManager> trust,
      Optional<String> serverName) {
    this.context = context(credential, trust);
    this.serverName = serverName;
  }

  private static SSLContext context(
      Renewed<Credential> credential, Renewed<X509ExtendedTrustManager> trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new ClientKeyManager(() -> credential.get().certificate())},
          new TrustManager[] {new CurrentTrust(trust)},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot do TLS", e);
    }
  }

  /**
   * Lets the next handshake show the current certificate: a resumed session has that of its first.
   */
  void forgetSessions() {
    SSLSessionContext sessions = context.getClientSessionContext();
    for (byte[] id : Collections.list(sessions.getIds())) {
      Optional.ofNullable(sessions.getSession(id)).ifPresent(SSLSession::invalidate);
    }
  }

  /** The trust manager compares the name of the socket with the certificate. */
  @Override
  public SSLSocket upgrade(
      Socket socket, String target, int port, Object attachment, HttpContext exchange)
      throws IOException {
    SSLSocket secured =
        (SSLSocket)
            context.getSocketFactory().createSocket(socket, serverName.orElse(target), port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.setSoTimeout(HANDSHAKE_MILLIS);
    secured.startHandshake();
    secured.setSoTimeout(0); // each call has a bound, see Deadline
    return secured;
  }
}
