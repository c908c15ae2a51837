package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.supervision.Health;
import dev.sluice.webhook.Served;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of the plain port, beside loops that serve reviews. */
class HealthServerIT {
  private static final Duration LONG_ENOUGH_TO_MEET = Duration.ofMillis(20);
  private static final MultiCollector FAILING =
      () -> {
        throw new IllegalStateException("out of order");
      };

  private final Vertx vertx = Vertx.vertx();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HealthServer server =
      HealthServer.start(
              vertx,
              new ListenAddress("127.0.0.1", 0),
              () -> Readiness.READY,
              () -> Health.GOOD,
              registry)
          .await();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private HttpResponse<String> metrics() {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return Served.send(client, HttpRequest.newBuilder(uri).build());
    }
  }

  private void measure(Supplier<Number> number) {
    Gauge.builder("counted.at.the.scrape", number).register(registry);
  }

  @Test
  void whatIsFoundOutAtTheScrapeHoldsUpNoLoop() {
    Queue<Boolean> onLoops = new ConcurrentLinkedQueue<>();
    measure(
        () -> {
          onLoops.add(Context.isOnEventLoopThread());
          return 7;
        });

    assertThat(metrics().body()).contains("counted_at_the_scrape 7.0");
    assertThat(onLoops).isNotEmpty().containsOnly(false);
  }

  @Test
  void aScrapeThatFailsIsAnsweredAndTheNextOneWorks() {
    registry.getPrometheusRegistry().register(FAILING);
    assertThat(metrics().statusCode()).isEqualTo(500);

    registry.getPrometheusRegistry().unregister(FAILING);
    assertThat(metrics().statusCode()).isEqualTo(200);
  }

  @Test
  void ofManyWhoScrapeAtOnceEachIsServedInItsTurn() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    measure(
        () -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          long end = System.nanoTime() + LONG_ENOUGH_TO_MEET.toNanos();
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          return running.decrementAndGet();
        });

    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpResponse<String>>> answers =
          Stream.generate(() -> callers.submit(this::metrics)).limit(8).toList();

      assertThat(answers).allSatisfy(it -> assertThat(it.get().statusCode()).isEqualTo(200));
    }
    assertThat(most).hasValue(1);
  }
}
