package dev.sluice.webhook.server;

import dev.sluice.certs.ClientKeyManager;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509TrustManager;

/**
 * Calls a server as an API server would: a handshake that must show exactly the certificate we mean
 * to serve, then a review on each of the paths that it is told.
 */
public final class SelfProbe {
  private static final int CONNECT_MILLIS = 15_000;
  private static final int IDLE_SECONDS = 10;

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final String host;
  private final int port;

  /** A prober of the server on this address that serves this certificate; close it after use. */
  public SelfProbe(Vertx vertx, String host, int port, ServingCertificate certificate) {
    this.vertx = vertx;
    this.host = host;
    this.port = port;
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setTrustOptions(TrustOptions.wrap(new Exactly(certificate.leaf())))
            .setKeyCertOptions(KeyCertOptions.wrap(ClientKeyManager.always(certificate.asClient())))
            .setVerifyHost(false) // the certificate is compared whole, which says more
            .setConnectTimeout(CONNECT_MILLIS)
            .setIdleTimeout(IDLE_SECONDS)
            .setIdleTimeoutUnit(TimeUnit.SECONDS);
    TlsPolicy.applyDefaultTo(options);
    this.client = vertx.createHttpClient(options);
  }

  /** Sends each endpoint its probe; fails if one is not answered well. May be called anywhere. */
  public Future<Void> probe(List<Endpoint> endpoints) {
    // on one event loop from the request to the end of the body: from elsewhere a body could have
    // passed before we ask for it
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(
        _ ->
            Future.all(endpoints.stream().map(this::probe).toList())
                .<Void>mapEmpty()
                .onComplete(done));
    return done.future();
  }

  private Future<Void> probe(Endpoint endpoint) {
    Probe probe = endpoint.probe();
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(host)
            .setPort(port)
            .setURI(endpoint.path() + "?timeout=5s")
            .setTimeout(CONNECT_MILLIS)
            .putHeader("content-type", "application/json");
    return client
        .request(options)
        .compose(request -> request.send(Buffer.buffer(probe.body())))
        .compose(response -> response.body().map(body -> check(probe, response.statusCode(), body)))
        .mapEmpty();
  }

  private static Void check(Probe probe, int status, Buffer body) {
    String answer = body.toString();
    if (!probe.isAnsweredBy(status, answer)) {
      throw new IllegalStateException(
          "status %d, %s (expected: an answer with %s)"
              .formatted(
                  status, answer.substring(0, Math.min(200, answer.length())), probe.expected()));
    }
    return null;
  }

  /** Closes the connections. */
  public Future<Void> close() {
    return client.close();
  }

  /** Trusts one certificate and no other. */
  private record Exactly(X509Certificate expected) implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      if (!expected.equals(chain[0])) {
        throw new CertificateException(
            "another certificate is served, serial %s (expected: serial %s)"
                .formatted(chain[0].getSerialNumber(), expected.getSerialNumber()));
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      throw new CertificateException("no client is expected here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
