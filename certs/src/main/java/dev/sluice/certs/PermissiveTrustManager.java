package dev.sluice.certs;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every certificate of the other side: of any server, or of any client, never of both. That
 * the other side owns what it shows is proven by TLS itself; nothing else is checked, no name
 * either.
 *
 * <p>Safe for use by any thread; no method blocks.
 */
public final class PermissiveTrustManager extends X509ExtendedTrustManager {
  private enum Peer {
    SERVER,
    CLIENT
  }

  private final Peer accepted;
  private final Supplier<X509Certificate[]> issuers;

  private PermissiveTrustManager(Peer accepted, Supplier<X509Certificate[]> issuers) {
    this.accepted = accepted;
    this.issuers = issuers;
  }

  /** For a client that does not verify servers. */
  public static PermissiveTrustManager ofServers() {
    return new PermissiveTrustManager(Peer.SERVER, () -> new X509Certificate[0]);
  }

  /**
   * For a server that checks the certificates of its clients later, with each request.
   *
   * @param issuers the authorities that it names to clients, which choose a certificate by them;
   *     asked at each handshake, on any thread
   */
  public static PermissiveTrustManager ofClients(Supplier<X509Certificate[]> issuers) {
    return new PermissiveTrustManager(Peer.CLIENT, issuers);
  }

  private void accept(Peer peer) throws CertificateException {
    if (peer != accepted) {
      throw new CertificateException(
          "the other side is a %s (expected: a %s)".formatted(name(peer), name(accepted)));
    }
  }

  private static String name(Peer peer) {
    return peer == Peer.SERVER ? "server" : "client";
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    accept(Peer.SERVER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    accept(Peer.SERVER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    accept(Peer.SERVER);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    accept(Peer.CLIENT);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    accept(Peer.CLIENT);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    accept(Peer.CLIENT);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return issuers.get();
  }
}
