package dev.sluice.cli.schedule;

import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.cli.CommandException;
import dev.sluice.cli.server.ConfigurationFlags.Chosen;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.ledger.LedgerServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A scheduler that runs, with all that it needs. */
public final class Scheduling implements AutoCloseable {
  /** There in every cluster, for a scheduler that runs beside one. */
  private static final String SYSTEM_NAMESPACE = "kube-system";

  private final Connection connection;
  private final Scheduler scheduler;
  private final PrometheusMeterRegistry registry;
  private @Nullable LedgerServer ledger;

  private Scheduling(Connection connection, Scheduler scheduler, PrometheusMeterRegistry registry) {
    this.connection = connection;
    this.scheduler = scheduler;
    this.registry = registry;
  }

  /**
   * Starts one; returns at once.
   *
   * @param kubeconfig names the cluster; null for the one around this Pod
   * @param elects whether it agrees with other replicas on who leads
   * @param deposed called when another leads
   */
  public static Scheduling start(
      @Nullable Path kubeconfig, Chosen chosen, boolean elects, int writers, Runnable deposed) {
    String identity = hostName() + "_" + UUID.randomUUID();
    SchedulerOptions options =
        new SchedulerOptions(
            chosen.configuration(),
            chosen.extensions(),
            identity,
            elects ? Optional.of(lease(chosen, identity)) : Optional.empty(),
            writers,
            WatchTimes.EAGER,
            SchedulerOptions.APART);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Connection connection = Connection.to(kubeconfig);
    Scheduler scheduler =
        Scheduler.start(connection, options, InstantSource.system(), registry, deposed);
    return new Scheduling(connection, scheduler, registry);
  }

  private static LeaseSettings lease(Chosen chosen, String identity) {
    LeaderElection election = chosen.configuration().manager().leaderElection();
    boolean named =
        chosen.configuration().sets("leaderElection.resourceNamespace")
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

  /** Pages with its health and metrics. */
  StatusPages pages(String host, int port) {
    return new StatusPages(host, port, scheduler, registry);
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
  }
}
