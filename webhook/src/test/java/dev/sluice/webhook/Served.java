package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.Lifetimes;
import dev.sluice.rules.ReviewContext;
import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ListenAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A server that is up, on free ports of loopback, and the ways to talk to it. */
public final class Served implements AutoCloseable {
  /** How long anything may take; a machine may be busy with other things than a test. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As much as usual, and as much time as any machine needs, for large bodies and answers. */
  public static final Bounds PATIENT =
      new Bounds(
          Bounds.DEFAULT.maxBodyBytes(),
          Bounds.DEFAULT.maxAnswerBytes(),
          Bounds.DEFAULT.json(),
          Bounds.DEFAULT.maxConcurrent(),
          Bounds.DEFAULT.maxBytesInFlight(),
          Bounds.DEFAULT.maxConnections(),
          Duration.ofMinutes(2),
          Duration.ofMinutes(2),
          Bounds.DEFAULT.idleTimeout());

  public static final ServerOptions OPTIONS =
      ServerOptions.builder()
          .listeningOn(new ListenAddress("127.0.0.1", 0), new ListenAddress("127.0.0.1", 0))
          .warmUp(Duration.ZERO)
          .certificateCheck(Duration.ofHours(1))
          .drain(Duration.ZERO, Duration.ofSeconds(5))
          .build();

  private final WebhookServer server;
  private final SSLContext trust;

  private Served(WebhookServer server) {
    this.server = server;
    this.trust = trusting(server.caBundlePem());
  }

  static Served within(Path dir, Bounds bounds) {
    return with(OPTIONS.toBuilder().bounds(bounds).build(), certificates(dir));
  }

  static Served with(ServerOptions options, CertificateSource certificates) {
    return new Served(WebhookServer.start(options, certificates, ReviewContext.UNKNOWN));
  }

  static Served with(ServerOptions options, CertificateSource certificates, ServerContext context) {
    return new Served(WebhookServer.start(options, certificates, context));
  }

  public static CertificateFolder certificates(Path dir) {
    return CertificateFolder.open(
        dir.resolve("certs"),
        List.of("localhost", "127.0.0.1"),
        Lifetimes.DEFAULT,
        InstantSource.system(),
        new SecureRandom());
  }

  /** A client that trusts the authorities of this bundle; each call is a new client. */
  public static SSLContext trusting(String caBundlePem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      var in = new ByteArrayInputStream(caBundlePem.getBytes(UTF_8));
      int count = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + count++, one);
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  WebhookServer server() {
    return server;
  }

  int port() {
    return server.httpsPort();
  }

  SSLContext trust() {
    return trust;
  }

  HttpClient client(Version version) {
    return client(trust, version);
  }

  public static HttpClient client(SSLContext trust, Version version) {
    return HttpClient.newBuilder()
        .sslContext(trust)
        .version(version)
        .connectTimeout(PATIENCE)
        .build();
  }

  HttpRequest.Builder to(String pathAndQuery) {
    return to(port(), pathAndQuery);
  }

  public static HttpRequest.Builder to(int port, String pathAndQuery) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + pathAndQuery))
        .timeout(PATIENCE)
        .header("content-type", "application/json");
  }

  HttpResponse<String> post(HttpClient client, String path, String body) {
    return post(client, path, BodyPublishers.ofString(body));
  }

  HttpResponse<String> post(HttpClient client, String path, BodyPublisher body) {
    return send(client, to(path).POST(body).build());
  }

  public static HttpResponse<String> send(HttpClient client, HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Wire connect() {
    return Wire.open(trust, port());
  }

  /** Whether a small review from a new client gets its answer. */
  boolean answers() {
    try (HttpClient client = client(Version.HTTP_2)) {
      HttpResponse<String> answer = post(client, "/convert", Texts.conversion("good", "a"));
      return answer.statusCode() == 200 && answer.body().contains("\"status\":\"Success\"");
    }
  }

  /** The bytes that all requests hold together, by the server's own count. */
  double bytesInFlight() {
    return metric("sluice_requests_bytes_in_flight");
  }

  /**
   * The value of the series that is written like this, labels included; zero if it is not there.
   */
  double metric(String series) {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  String metrics() {
    return plain("/metrics").body();
  }

  /** A page of the plain port. */
  HttpResponse<String> plain(String path) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
      return send(client, HttpRequest.newBuilder(uri).timeout(PATIENCE).build());
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
