package dev.sluice.cli.schedule;

import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.cli.CommandException;
import dev.sluice.cli.server.ConfigurationFlags.Chosen;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.ledger.LedgerServer;
import dev.sluice.webhook.server.Page;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scheduler that runs, with all that it needs. */
public final class Scheduling implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);
  private static final int DEPOSED = 1;

  /** There in every cluster, for a scheduler that runs beside one. */
  private static final String SYSTEM_NAMESPACE = "kube-system";

  private final Connection connection;
  private final Scheduler scheduler;
  private final MeterRegistry registry;
  private final Tracing tracing;
  private @Nullable LedgerServer ledger;

  private Scheduling(
      Connection connection, Scheduler scheduler, MeterRegistry registry, Tracing tracing) {
    this.connection = connection;
    this.scheduler = scheduler;
    this.registry = registry;
    this.tracing = tracing;
  }

  /**
   * Starts one for a process of its own, which ends when another replica leads; returns at once.
   *
   * @param access leads to the cluster
   * @param registry takes what is measured; closed with this
   */
  public static Scheduling start(
      ClusterAccess access, Chosen chosen, SchedulerFlags flags, MeterRegistry registry) {
    String identity = identity();
    Optional<LeaseSettings> lease =
        flags.elects(chosen)
            ? Optional.of(lease(chosen, identity, flags.namesNamespace()))
            : Optional.empty();
    return start(
        access, chosen, identity, lease, flags.writers(), registry, Scheduling::endProcess);
  }

  /** Starts one that is the only one of its cluster; returns at once. */
  public static Scheduling alone(Path kubeconfig, Chosen chosen) {
    return start(
        ClusterAccess.of(kubeconfig),
        chosen,
        identity(),
        Optional.empty(),
        SchedulerOptions.WRITERS,
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
        () -> {});
  }

  private static Scheduling start(
      ClusterAccess access,
      Chosen chosen,
      String identity,
      Optional<LeaseSettings> lease,
      int writers,
      MeterRegistry registry,
      Runnable deposed) {
    SchedulerOptions options =
        new SchedulerOptions(
            chosen.configuration(),
            chosen.extensions(),
            identity,
            lease,
            writers,
            WatchTimes.EAGER,
            SchedulerOptions.APART);
    Tracing tracing = Tracing.ofEnvironment();
    Connection connection = Connection.to(access);
    Scheduler scheduler =
        Scheduler.start(
            connection, options, InstantSource.system(), registry, tracing.telemetry(), deposed);
    Scheduling scheduling = new Scheduling(connection, scheduler, registry, tracing);
    scheduling.measureIn(registry);
    return scheduling;
  }

  /** Shows what is measured with the peer's names where that registry is read, if anywhere. */
  public void measureIn(MeterRegistry pages) {
    if (pages instanceof PrometheusMeterRegistry prometheus) {
      prometheus.getPrometheusRegistry().register(scheduler.metrics());
    }
  }

  /** Who led may have written last a moment ago; the next process begins with what is stored. */
  private static void endProcess() {
    Thread.ofPlatform()
        .name("sluice-deposed")
        .start(
            () -> {
              LOG.error("ending, for another replica leads");
              Runtime.getRuntime().exit(DEPOSED);
            });
  }

  private static String identity() {
    return hostName() + "_" + UUID.randomUUID();
  }

  private static LeaseSettings lease(Chosen chosen, String identity, boolean isToldWhere) {
    LeaderElection election = chosen.configuration().manager().leaderElection();
    boolean named =
        isToldWhere
            || chosen.configuration().sets("leaderElection.resourceNamespace")
            || System.getenv("KUBERNETES_SERVICE_HOST") != null;
    return new LeaseSettings(
        named ? election.resourceNamespace() : SYSTEM_NAMESPACE,
        election.resourceName(),
        identity,
        election.leaseDuration(),
        election.renewDeadline(),
        election.retryPeriod());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "sluice";
    }
  }

  /**
   * Tells who has quota on a socket from now on; to be called once.
   *
   * @throws CommandException if the socket cannot be made
   */
  void publish(Path socket) {
    try {
      ledger = LedgerServer.start(socket, scheduler::snapshot);
    } catch (IOException e) {
      throw new CommandException("--ledger: " + socket + ": " + e.getMessage(), e);
    }
  }

  /** What it shows on a plain port beside health and metrics. */
  public List<Page> pages() {
    return List.of(SchedulerPages.audit(scheduler));
  }

  /** The scheduler itself. */
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public void close() {
    if (ledger != null) {
      ledger.close();
    }
    scheduler.close();
    connection.close();
    registry.close();
    tracing.close();
  }
}
