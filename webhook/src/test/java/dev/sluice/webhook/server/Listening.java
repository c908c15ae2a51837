package dev.sluice.webhook.server;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.server.Workers.Lane;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A listener on one event loop and any free port, with two workers, that serves endpoints. */
final class Listening implements AutoCloseable {
  private final Vertx vertx;
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final SSLContext trust;
  private final HttpsListener listener;

  /**
   * Starts it.
   *
   * @param dir where its certificates are made
   * @param vertx closed with this
   */
  Listening(Path dir, Vertx vertx, Bounds bounds, Endpoint... endpoints) {
    this(dir, vertx, bounds, ConnectionBounds.of(bounds), endpoints);
  }

  Listening(
      Path dir, Vertx vertx, Bounds bounds, ConnectionBounds connections, Endpoint... endpoints) {
    CertificateFolder certificates = Served.certificates(dir);
    this.vertx = vertx;
    this.trust = Served.trusting(certificates.caBundlePem());
    this.listener =
        HttpsListener.start(
                vertx,
                new HttpsOptions(
                    new ListenAddress("127.0.0.1", 0),
                    bounds,
                    connections,
                    TlsPolicy.DEFAULT,
                    Optional.empty(),
                    1),
                new SwitchingKeyManager(certificates.current()),
                List.of(endpoints),
                (lane, work) -> {
                  lanes.add(lane);
                  workers.execute(work);
                  return true;
                },
                registry)
            .await();
  }

  HttpsListener listener() {
    return listener;
  }

  int port() {
    return listener.port();
  }

  /** Trusts the authority of its certificates alone. */
  SSLContext trust() {
    return trust;
  }

  /** A client that trusts it; the caller closes it. */
  HttpClient client(Version version) {
    return Served.client(trust, version);
  }

  /** Where requests were answered that no event loop answered, in this order. */
  List<Lane> lanes() {
    return lanes;
  }

  double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  /** What was counted under this name with this tag. */
  double counter(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).counter().count();
  }

  @Override
  public void close() {
    workers.close();
    vertx.close().await();
  }
}
