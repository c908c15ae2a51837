package dev.sluice.bench.server;

import dev.sluice.certs.ServingCertificate;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.HttpsListener;
import dev.sluice.webhook.server.HttpsOptions;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.TlsPolicy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sluice's own listener, loops and workers around an endpoint that does nothing. */
final class EchoServer implements AutoCloseable {
  private final Vertx vertx;
  private final ExecutorService workers;
  private final HttpsListener listener;

  private EchoServer(Vertx vertx, ExecutorService workers, HttpsListener listener) {
    this.vertx = vertx;
    this.workers = workers;
    this.listener = listener;
  }

  static EchoServer start(ListenAddress address, ServingCertificate certificate) {
    int processors = Math.max(2, Runtime.getRuntime().availableProcessors());
    Vertx vertx = GatedTransport.vertx(new VertxOptions().setEventLoopPoolSize(processors));
    ExecutorService workers =
        new ThreadPoolExecutor(
            processors,
            processors,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Bounds.DEFAULT.maxConcurrent()),
            Thread.ofPlatform().name("echo-worker-", 0).daemon().factory());
    try {
      HttpsListener listener =
          HttpsListener.start(
                  vertx,
                  new HttpsOptions(
                      address,
                      Bounds.DEFAULT,
                      ConnectionBounds.of(Bounds.DEFAULT),
                      TlsPolicy.DEFAULT,
                      Optional.empty(),
                      processors),
                  new SwitchingKeyManager(certificate),
                  List.of(new EchoEndpoint()),
                  (_, work) -> {
                    workers.execute(work);
                    return true;
                  },
                  new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
              .await();
      return new EchoServer(vertx, workers, listener);
    } catch (Exception e) { // checked ones, too
      workers.shutdown();
      vertx.close();
      throw e;
    }
  }

  @Override
  public void close() {
    listener
        .shutdown(Duration.ofSeconds(1))
        .onComplete(_ -> vertx.close()); // not awaited: with its loops gone nobody would tell us
    workers.shutdown();
  }
}
