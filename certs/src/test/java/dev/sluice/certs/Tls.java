package dev.sluice.certs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Both ends of TLS: a server on our key manager, a client that trusts what we publish. */
final class Tls {
  private static final int LONGEST_HANDSHAKE = 100;

  private Tls() {}

  static SSLContext server(SwitchingKeyManager manager) {
    return context(new KeyManager[] {manager}, null);
  }

  /** A new one for each call, so that no session is resumed and each handshake is a whole one. */
  static SSLContext clientTrusting(String bundle) {
    try {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (var certificate : Pem.parse(bundle).certificates()) {
        store.setCertificateEntry(certificate.getSerialNumber().toString(), certificate);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return context(null, trust);
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A handshake in memory with a client that expects {@code host}; returns what it was shown. */
  static Certificate shown(SSLContext serverContext, SSLContext clientContext, String host)
      throws SSLException {
    var server = serverContext.createSSLEngine();
    server.setUseClientMode(false);
    var client = clientContext.createSSLEngine(host, 443);
    client.setUseClientMode(true);
    client.setSSLParameters(expectingTheHost(client.getSSLParameters()));
    handshake(client, server);
    return client.getSession().getPeerCertificates()[0];
  }

  static SSLParameters expectingTheHost(SSLParameters parameters) {
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }

  private static SSLContext context(
      KeyManager @Nullable [] keys, @Nullable TrustManagerFactory trust) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys, trust == null ? null : trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static void handshake(SSLEngine client, SSLEngine server) throws SSLException {
    var toServer = ByteBuffer.allocate(1 << 16);
    var toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < LONGEST_HANDSHAKE; round++) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
      if (Stream.of(client, server).noneMatch(Tls::handshakes)) {
        return;
      }
    }
    throw new SSLException("no end of the handshake");
  }

  private static boolean handshakes(SSLEngine engine) {
    return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    var nothing = ByteBuffer.allocate(0);
    var read = ByteBuffer.allocate(1 << 16);
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> engine.getDelegatedTask().run();
      case NEED_WRAP -> engine.wrap(nothing, out);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING -> {
        in.flip();
        engine.unwrap(in, read);
        in.compact();
      }
      case FINISHED -> {}
    }
  }
}
