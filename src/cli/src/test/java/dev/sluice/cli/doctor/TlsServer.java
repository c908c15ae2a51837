package dev.sluice.cli.doctor;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.certs.ServingCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server on loopback that shows a certificate, and knows nothing else. */
final class TlsServer implements AutoCloseable {
  private final HttpsServer server;

  private TlsServer(HttpsServer server) {
    this.server = server;
  }

  static TlsServer of(ServingCertificate certificate) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    Certificate[] chain = certificate.chain().toArray(Certificate[]::new);
    keys.setKeyEntry("server", certificate.key(), new char[0], chain);
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.start();
    return new TlsServer(server);
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
