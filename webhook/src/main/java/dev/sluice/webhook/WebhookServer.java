package dev.sluice.webhook;

import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.rules.ReviewContext;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.server.ClientAuthorities;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.HttpsListener;
import dev.sluice.webhook.server.HttpsOptions;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.Page;
import dev.sluice.webhook.server.PagesServer;
import dev.sluice.webhook.server.PortWatch;
import dev.sluice.webhook.server.Pulse;
import dev.sluice.webhook.server.SelfProbe;
import dev.sluice.webhook.server.WatchedWorkers;
import dev.sluice.webhook.server.WorkerPools;
import dev.sluice.webhook.server.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole server: reviews over HTTPS, health and metrics over plain HTTP.
 *
 * <p>It is ready only after a probe of its own port: a handshake with the certificate to be served,
 * and a review on every path. Thread-safe.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);
  private static final int FIRST_PROBES = 3;
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final ServerOptions options;
  private final CertificateSource certificates;
  private final CertificateReport certificateReport;
  private final ServerContext context;
  private final SwitchingKeyManager keys;
  private final Optional<ClientAuthorities> clients;
  private final Vertx vertx;
  private final WorkerPools pools;
  private final Supervisor supervisor;
  private final Workers workers;
  private final CertificateRenewal renewal;
  private final Endpoint selfProbe;
  private final PrometheusMeterRegistry registry;
  private final List<Endpoint> endpoints;
  private final HttpsListener https;
  private final PagesServer pages;
  private final WarmUp warmUp;
  private volatile @Nullable PortWatch port;
  private volatile Readiness readiness = Readiness.STARTING;
  private boolean closed;

  private WebhookServer(
      ServerOptions options,
      CertificateSource certificates,
      ServerContext context,
      Supervisor supervisor) {
    this.options = options;
    this.supervisor = supervisor;
    this.context = context;
    this.certificates = certificates;
    this.certificateReport = new CertificateReport(certificates, InstantSource.system());
    this.keys = new SwitchingKeyManager(certificates.current());
    this.clients =
        options.clients().map(check -> new ClientAuthorities(check, () -> keys.current().leaf()));
    int processors = Math.max(2, Runtime.getRuntime().availableProcessors());
    this.vertx =
        GatedTransport.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(processors)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(4));
    vertx.exceptionHandler(
        cause ->
            supervisor.part("event-loop").failed(cause, "its request or connection has ended"));
    this.pools = new WorkerPools(processors, options.bounds());
    this.workers = new WatchedWorkers(pools, supervisor);
    this.renewal =
        new CertificateRenewal(
            certificates,
            keys,
            clients,
            certificateReport,
            workers,
            supervisor.part("certificates"),
            options.certificateCheck(),
            () -> readiness.ready(),
            this::probe);
    this.registry =
        context.registry().orElseGet(() -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    measureProcess(registry);
    certificateReport.bindTo(registry);
    supervisor.bindTo(registry);
    context.dependency().bindTo(registry);
    if (context.world().quota() instanceof MeterBinder fence) {
      fence.bindTo(registry);
    }
    this.endpoints = ServerEndpoints.of(options, context, registry);
    this.selfProbe = ServerEndpoints.selfProbe(options.bounds());
    List<Endpoint> served = new ArrayList<>(endpoints);
    served.add(selfProbe);
    try {
      this.pages =
          await(
              "listening on " + options.http(),
              PagesServer.start(vertx, options.http(), pages(), registry));
      this.https =
          await(
              "listening on " + options.https(),
              listen(options.https(), served, registry, processors));
      await("watching event loops", Pulse.start(vertx, processors, supervisor.part("event-loop")));
    } catch (RuntimeException e) {
      pools.close();
      vertx.close();
      throw e;
    }
    MeterRegistry unread = new SimpleMeterRegistry();
    this.warmUp =
        new WarmUp(
            options.warmUp(),
            () -> ServerEndpoints.of(options, context, unread),
            asked -> listen(new ListenAddress(WarmUp.HOST, 0), asked, unread, 1),
            port -> new SelfProbe(vertx, WarmUp.HOST, port, keys.current()));
  }

  /**
   * Starts a server with the standard rules in this world, which it need not wait for.
   *
   * @throws ServerStartException if a port is taken, or if it does not answer its own probes
   */
  public static WebhookServer start(
      ServerOptions options, CertificateSource certificates, ReviewContext world) {
    return start(options, certificates, ServerContext.of(world));
  }

  /**
   * Starts a server and probes it. Blocks until that is done; it is ready once its dependencies are
   * ready, too. It warms up after that.
   *
   * @throws ServerStartException if a port is taken, or if it does not answer its own probes
   * @throws IllegalArgumentException if the authorities of clients cannot be read
   */
  public static WebhookServer start(
      ServerOptions options, CertificateSource certificates, ServerContext context) {
    return start(options, certificates, context, new Supervisor());
  }

  /**
   * Like {@link #start(ServerOptions, CertificateSource, ServerContext)}.
   *
   * @param supervisor of its threads; its health is what {@code /healthz} answers
   */
  public static WebhookServer start(
      ServerOptions options,
      CertificateSource certificates,
      ServerContext context,
      Supervisor supervisor) {
    return start(options, certificates, context, supervisor, () -> {});
  }

  /**
   * Like {@link #start(ServerOptions, CertificateSource, ServerContext, Supervisor)}.
   *
   * @param listening called once the server listens, and before it is probed; must not block
   */
  public static WebhookServer start(
      ServerOptions options,
      CertificateSource certificates,
      ServerContext context,
      Supervisor supervisor,
      Runnable listening) {
    WebhookServer server = new WebhookServer(options, certificates, context, supervisor);
    try {
      listening.run();
      await("the first probe", server.firstProbe(FIRST_PROBES));
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    server.readiness = Readiness.READY;
    server.port = server.watchPort();
    server.renewal.begin();
    server.warmUp.begin();
    server.vertx.setPeriodic(
        options.certificateCheck().toMillis(), _ -> server.renewal.checkSoon());
    return server;
  }

  private static void measureProcess(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
  }

  private PortWatch watchPort() {
    return PortWatch.start(
        options.https().localHost(), https.port(), selfProbe, keys::current, supervisor);
  }

  private Future<HttpsListener> listen(
      ListenAddress address, List<Endpoint> served, MeterRegistry measured, int eventLoops) {
    HttpsOptions listening =
        new HttpsOptions(
            address, options.bounds(), options.connections(), options.tls(), clients, eventLoops);
    return HttpsListener.start(vertx, listening, keys, served, workers, measured);
  }

  private List<Page> pages() {
    List<Page> pages = new ArrayList<>();
    pages.add(Page.health(supervisor::health));
    pages.add(Page.state("/readyz", this::readiness));
    if (options.metrics()) {
      pages.add(Page.metrics(registry));
    }
    pages.add(certificateReport.page());
    pages.addAll(context.pages());
    return pages;
  }

  /** On a busy machine a JVM that just started can need longer than one probe waits. */
  private Future<Void> firstProbe(int attempts) {
    return probe(oneOfEachKind())
        .recover(e -> attempts > 1 ? firstProbe(attempts - 1) : Future.failedFuture(e));
  }

  /**
   * Conversions, mutations, validations, and the guard once each: sixty paths with code that has
   * not run yet would take as long as all else of a start. The warm-up asks the others.
   */
  private List<Endpoint> oneOfEachKind() {
    Map<Class<?>, Endpoint> kinds = new LinkedHashMap<>();
    endpoints.forEach(it -> kinds.putIfAbsent(it.getClass(), it));
    return List.copyOf(kinds.values());
  }

  private Future<Void> probe() {
    return probe(endpoints);
  }

  private Future<Void> probe(List<Endpoint> asked) {
    SelfProbe probe =
        new SelfProbe(vertx, options.https().localHost(), https.port(), keys.current());
    return probe.probe(asked).eventually(probe::close);
  }

  /** Blocks until the warm-up is over. Reviews are answered before that, too. */
  public void awaitWarmUp() {
    await("warming up", warmUp.over());
  }

  /**
   * Looks for a new certificate, and for new authorities of clients, now; normally done every
   * {@code certificateCheck}.
   */
  public void checkCertificate() {
    renewal.check();
  }

  /** The port on which reviews are answered. */
  public int httpsPort() {
    return https.port();
  }

  /** The port on which health and metrics are answered. */
  public int httpPort() {
    return pages.port();
  }

  /** The paths on which reviews are answered. */
  public List<String> paths() {
    return endpoints.stream().map(Endpoint::path).toList();
  }

  /** How many admission reviews have come from elsewhere, such as the API server. */
  public long reviewsReceived() {
    return endpoints.stream().mapToLong(Endpoint::reviewsReceived).sum();
  }

  /** Whether requests should be sent here. */
  public Readiness readiness() {
    Readiness own = readiness;
    if (!own.ready()) {
      return own;
    }
    PortWatch watch = port;
    return (watch == null ? Optional.<String>empty() : watch.whyNotReady())
        .map(why -> new Readiness(false, why))
        .orElseGet(() -> context.dependency().readiness());
  }

  /** The trust that clients need, in PEM. */
  public String caBundlePem() {
    return certificates.caBundlePem();
  }

  /**
   * Stops: not ready at once, then the drain delay, then no new connections, and what is under way
   * finishes within the drain timeout. Blocks until all is closed; a second call does nothing.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean known = readiness.ready(); // before that no caller was sent here
    readiness = Readiness.DRAINING;
    PortWatch watch = port;
    if (watch != null) {
      watch.close();
    }
    renewal.close();
    Future<Void> warmUpOver = warmUp.stop();
    if (known) {
      pause(options.drainDelay());
    }
    quietly(() -> https.shutdown(options.drainTimeout()), options.drainTimeout());
    quietly(() -> warmUpOver, Duration.ofSeconds(1));
    pools.close();
    quietly(pages::close, Duration.ofSeconds(2));
    quietly(vertx::close, Duration.ofSeconds(5));
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller stops the process: continue closing
    }
  }

  /** Failures are ignored, also if a dead event loop accepts no more work. */
  private static void quietly(Supplier<Future<Void>> closing, Duration patience) {
    try {
      closing.get().await(patience.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      LOG.debug("a part of the server could not be closed", e);
    }
  }

  private static <T> T await(String what, Future<T> future) {
    try {
      return future.await(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      throw ServerStartException.of(what, e);
    }
  }
}
