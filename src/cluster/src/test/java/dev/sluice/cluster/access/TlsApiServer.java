package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;

/**
 * Answers over TLS who called: the subject of the client certificate, the header Authorization, and
 * the server name that was asked for. Answers logins that are refused with 401.
 */
final class TlsApiServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final Set<InetSocketAddress> callers = ConcurrentHashMap.newKeySet();
  private final HttpsServer server;

  TlsApiServer(TestAuthority serving, String name, TestAuthority clients) {
    try {
      KeyPair keys = TestAuthority.keys("EC:secp256r1");
      SSLContext context = context(keys, serving.issue(keys, name), clients);
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(
          new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
              SSLParameters ours = context.getDefaultSSLParameters();
              ours.setWantClientAuth(true);
              parameters.setSSLParameters(ours);
            }
          });
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static SSLContext context(KeyPair keys, X509Certificate leaf, TestAuthority clients)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("k", keys.getPrivate(), new char[0], new X509Certificate[] {leaf});
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        managers.getKeyManagers(),
        new TrustManager[] {Authorities.trusting(List.of(clients.certificate()))},
        null);
    return context;
  }

  private void answer(HttpExchange exchange) throws IOException {
    callers.add(exchange.getRemoteAddress());
    String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    var session = (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
    String subject = subject(session);
    boolean isRefused = refused.contains(authorization) || refused.contains(subject);
    String text =
        "%s|%s|%s|%s|%s|%s"
            .formatted(
                subject,
                authorization,
                session.getRequestedServerNames(),
                exchange.getRequestHeaders().getFirst("Impersonate-User"),
                exchange.getRequestHeaders().getFirst("Impersonate-Group"),
                exchange.getRequestHeaders().getFirst("Impersonate-Uid"));
    byte[] body = text.getBytes(UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(isRefused ? 401 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String subject(ExtendedSSLSession session) {
    try {
      return ((X509Certificate) session.getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    } catch (SSLPeerUnverifiedException _) {
      return "nobody";
    }
  }

  /** From now on this value of Authorization, or subject of a certificate, is answered with 401. */
  void refuse(String login) {
    refused.add(login);
  }

  /** How many connections there were. */
  int connections() {
    return callers.size();
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
