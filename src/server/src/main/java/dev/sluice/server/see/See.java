package dev.sluice.server.see;

import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.Refresh;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.server.history.LogFeed;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.register.CertificateTrust;
import dev.sluice.server.register.ClusterPublisher;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.CertificateReport;
import dev.sluice.webhook.server.GatedTransport;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.Page;
import dev.sluice.webhook.server.PagesServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visibility API of a cluster with all that it needs: watches of the queues and of whom to
 * trust, an HTTPS server, plain pages, and the upkeep of its certificate. It writes nothing to the
 * cluster but reviews, its CA bundle, a Secret where its certificates are shared, and forecasts
 * where these are wanted.
 */
final class See implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(See.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration CHECK = Duration.ofMinutes(1);
  private static final Duration DRAIN = Duration.ofSeconds(10);

  /** More than reviews at a time, so that a slow API server leaves some for what is known. */
  private static final int WORKERS = 20;

  /**
   * Explanations run on so many threads, and simulations on as many, beside those that ask for
   * reviews.
   */
  private static final int TRIALS = 2;

  private final Connection connection;
  private final CertificateSource certificates;
  private final SwitchingKeyManager keys;
  private final CertificateReport report;
  private final QueueWatch queues;
  private final TransitionLog log = new TransitionLog();
  private final @Nullable RecordedPast recorded;

  /** Feeds the log where no history does. */
  private final @Nullable LogFeed feed;

  private final AuthenticationWatch authentication;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Vertx vertx =
      GatedTransport.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(WORKERS));
  private final Supervisor supervisor;
  private final SeeServer server;
  private volatile boolean stopping;
  private int port;
  private @Nullable PagesServer pages;
  private @Nullable ClusterPublisher publisher;

  private See(
      ClusterAccess access,
      Chosen chosen,
      ListenAddress address,
      CertificateSource certificates,
      @Nullable HistoryPlace history,
      Supervisor supervisor) {
    this.connection = Connection.to(access);
    this.certificates = certificates;
    this.supervisor = supervisor;
    this.keys = new SwitchingKeyManager(certificates.current());
    this.report = new CertificateReport(certificates, InstantSource.system());
    EngineConfiguration configuration = EngineConfiguration.of(chosen.configuration());
    this.queues =
        new QueueWatch(
            connection,
            configuration,
            SeeKinds.ofSimulations(chosen.configuration(), chosen.extensions()),
            WatchTimes.EAGER,
            supervisor);
    this.recorded =
        history == null
            ? null
            : RecordedPast.open(
                history,
                configuration,
                queues,
                log,
                connection,
                supervisor,
                InstantSource.system());
    this.feed =
        history != null
            ? null
            : new LogFeed(
                configuration, queues.known(), log::add, InstantSource.system(), supervisor);
    this.authentication = new AuthenticationWatch(connection, supervisor);
    ReviewClient client = new ReviewClient(connection);
    AccessReviews reviews = new AccessReviews(client, System::nanoTime);
    this.server =
        new SeeServer(
            vertx,
            address,
            chosen.tls(),
            keys,
            new SeeAnswers(
                tagged(),
                this::missing,
                new Callers(authentication::current, new TokenReviews(client, System::nanoTime)),
                reviews,
                views(chosen, new NameRights(reviews))),
            registry);
    supervisor.bindTo(registry);
    queues.bindTo(registry);
    if (recorded != null) {
      queues.tell(recorded::note);
      recorded.bindTo(registry);
    }
    if (feed != null) {
      queues.tell(feed::note);
    }
    report.bindTo(registry);
  }

  private QueueSource tagged() {
    return recorded == null ? queues : new TaggedQueues(queues, recorded::version);
  }

  private Views views(Chosen chosen, NameRights rights) {
    WorkerExecutor trials = vertx.createSharedWorkerExecutor("trials", TRIALS);
    WorkerExecutor simulations = vertx.createSharedWorkerExecutor("simulations", TRIALS);
    var simulated = new SimulatedConfiguration(chosen.configuration(), chosen.extensions());
    return new Views(
        tagged(),
        rights,
        new Simulations(
            queues,
            queues,
            simulated,
            rights,
            recorded == null ? Past.NONE : recorded,
            task -> run(task, simulations),
            InstantSource.system()),
        recorded == null ? Past.NONE : recorded,
        log,
        UsageSampler.start(vertx, queues, supervisor),
        task -> run(task, trials),
        InstantSource.system());
  }

  static void run(Runnable task, WorkerExecutor executor) {
    var _ =
        executor.executeBlocking(
            () -> {
              task.run();
              return null;
            },
            false);
  }

  /**
   * Starts everything; returns once it listens, which is before it is ready.
   *
   * @param address of the HTTPS port
   * @param portFlag the flag that chose that port
   * @param plain address of the port for health and metrics
   * @param history where one is kept; null for none
   * @param publishes whether the APIServices get our CA bundle
   * @param supervisor of all threads
   * @throws CommandException if a port cannot be had
   */
  static See start(
      ClusterAccess access,
      Chosen chosen,
      ListenAddress address,
      String portFlag,
      ListenAddress plain,
      CertificateSource certificates,
      @Nullable HistoryPlace history,
      boolean publishes,
      Supervisor supervisor) {
    See see = new See(access, chosen, address, certificates, history, supervisor);
    try {
      see.port = await(see.server.listen(), address, portFlag);
      see.pages =
          await(
              PagesServer.start(see.vertx, plain, see.pages(chosen.showsMetrics()), see.registry),
              plain,
              "--http-port");
      see.queues.start();
      if (see.recorded != null) {
        see.recorded.start();
      }
      if (see.feed != null) {
        see.feed.start();
      }
      see.authentication.start();
      see.vertx.setPeriodic(CHECK.toMillis(), _ -> see.checkSoon());
      if (publishes) {
        see.publisher =
            ClusterPublisher.ofVisibility(
                access, new CertificateTrust(certificates, see::check), supervisor);
      }
      return see;
    } catch (RuntimeException e) {
      see.close();
      throw e;
    }
  }

  private static <T> T await(Future<T> started, ListenAddress address, String flag) {
    try {
      return started.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) { // Vert.x throws checked ones, too
      throw new CommandException(
          "cannot listen on %s: %s; name another port with %s"
              .formatted(
                  address,
                  e instanceof TimeoutException ? "it takes too long" : e.getMessage(),
                  flag),
          e);
    }
  }

  private List<Page> pages(boolean showsMetrics) {
    List<Page> all = new ArrayList<>();
    all.add(Page.health(supervisor::health));
    all.add(Page.state("/readyz", this::readiness));
    if (showsMetrics) {
      all.add(Page.metrics(registry));
    }
    all.add(report.page());
    return all;
  }

  private Readiness readiness() {
    List<String> missing = missing();
    return missing.isEmpty()
        ? Readiness.READY
        : new Readiness(false, "not known yet: " + String.join("; ", missing));
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>(queues.missing());
    authentication.missing().ifPresent(missing::add);
    if (stopping) {
      missing.add("the server is stopping");
    }
    return missing;
  }

  private void checkSoon() {
    var _ =
        vertx.executeBlocking(
            () -> {
              supervisor.part("certificate").guarded(this::check).run();
              return null;
            });
  }

  /** Serves a new certificate, if there is one. */
  private void check() {
    synchronized (keys) { // or of two threads the one with the older certificate could come last
      switch (certificates.refresh()) {
        case Refresh.Unchanged _ -> report.accepted();
        case Refresh.Changed _ -> {
          report.accepted();
          if (!keys.current().equals(certificates.current())) { // else only authorities changed
            keys.switchTo(certificates.current());
            LOG.info("serving a new certificate");
          }
        }
        case Refresh.Refused refused -> {
          report.refused(refused.problem().getMessage());
          LOG.warn(
              "a new certificate was refused, the old one is served on: {}",
              refused.problem().getMessage());
        }
      }
    }
  }

  /** The port on which the API is served. */
  int port() {
    return port;
  }

  /** The port on which health and metrics are served. */
  int httpPort() {
    PagesServer started = pages;
    return started == null ? 0 : started.port();
  }

  /** What is not known yet; empty once it is ready. */
  List<String> notYet() {
    return missing();
  }

  /** From now on it is not ready, though it answers. */
  void drain() {
    stopping = true;
  }

  @Override
  public void close() {
    stopping = true;
    if (publisher != null) {
      publisher.close();
    }
    try {
      server.shutdown(DRAIN).await(2 * DRAIN.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) { // Vert.x throws checked ones, too
      LOG.debug("the HTTPS port did not close in time", e);
    }
    authentication.close();
    queues.close();
    if (recorded != null) {
      recorded.close();
    }
    if (feed != null) {
      feed.close();
    }
    if (pages != null) {
      var _ = pages.close();
    }
    var _ = vertx.close();
    connection.close();
    registry.close();
  }
}
