package dev.sluice.server.schedule;

import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.scheduler.engine.EngineFork;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.ledger.LedgerServer;
import dev.sluice.scheduler.recorder.RecordingOptions;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.QuotaEditSocket;
import dev.sluice.server.wiring.QuotaEditTrials;
import dev.sluice.server.wiring.QuotaEdits;
import dev.sluice.supervision.Supervisor;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A scheduler that runs, with all that it needs. */
public final class Scheduling implements AutoCloseable {
  /** There in every cluster, for a scheduler that runs beside one. */
  private static final String SYSTEM_NAMESPACE = "kube-system";

  private final Connection connection;
  private final Scheduler scheduler;
  private final MeterRegistry registry;
  private final Tracing tracing;
  private final Supervisor supervisor;
  private final RoleSettings settings;
  private final QuotaEditTrials trials;
  private @Nullable LedgerServer ledger;
  private @Nullable QuotaEditSocket edits;

  private Scheduling(
      Connection connection,
      Scheduler scheduler,
      RoleSettings settings,
      MeterRegistry registry,
      Tracing tracing,
      Supervisor supervisor) {
    this.connection = connection;
    this.scheduler = scheduler;
    this.settings = settings;
    this.registry = registry;
    this.tracing = tracing;
    this.supervisor = supervisor;
    this.trials = new QuotaEditTrials(this::fork, InstantSource.system(), supervisor);
  }

  /**
   * Starts a scheduler that may have other replicas; returns at once.
   *
   * @param access to the cluster
   * @param registry takes the metrics; closed with this
   * @param supervisor of all threads
   * @param deposed called once if this replica loses the Lease; it writes nothing after that
   */
  public static Scheduling start(
      ClusterAccess access,
      Chosen chosen,
      SchedulerFlags flags,
      MeterRegistry registry,
      Supervisor supervisor,
      Runnable deposed) {
    String identity = identity();
    Optional<LeaseSettings> lease =
        flags.elects(chosen)
            ? Optional.of(lease(chosen, identity, flags.namesNamespace()))
            : Optional.empty();
    return start(
        access,
        chosen,
        identity,
        lease,
        flags.writers(),
        flags.recording(),
        registry,
        supervisor,
        deposed);
  }

  /** Starts the only scheduler of its cluster; returns at once. */
  public static Scheduling alone(Path kubeconfig, Chosen chosen, Supervisor supervisor) {
    return alone(kubeconfig, chosen, Optional.empty(), supervisor);
  }

  /**
   * The same.
   *
   * @param recording where decisions are recorded, if anywhere
   */
  public static Scheduling alone(
      Path kubeconfig, Chosen chosen, Optional<RecordingOptions> recording, Supervisor supervisor) {
    return start(
        ClusterAccess.of(kubeconfig),
        chosen,
        identity(),
        Optional.empty(),
        SchedulerOptions.WRITERS,
        recording,
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
        supervisor,
        () -> {});
  }

  private static Scheduling start(
      ClusterAccess access,
      Chosen chosen,
      String identity,
      Optional<LeaseSettings> lease,
      int writers,
      Optional<RecordingOptions> recording,
      MeterRegistry registry,
      Supervisor supervisor,
      Runnable deposed) {
    SchedulerOptions options =
        new SchedulerOptions(
            chosen.configuration(),
            chosen.extensions(),
            identity,
            lease,
            writers,
            WatchTimes.EAGER,
            SchedulerOptions.APART,
            recording);
    Tracing tracing = Tracing.ofEnvironment();
    Connection connection = Connection.to(access);
    Scheduler scheduler =
        Scheduler.start(
            connection,
            options,
            InstantSource.system(),
            registry,
            tracing.telemetry(),
            deposed,
            supervisor,
            new MultiKueue(chosen.configuration(), chosen.extensions()));
    Scheduling scheduling =
        new Scheduling(
            connection,
            scheduler,
            RoleSettings.of(chosen.configuration(), chosen.extensions()),
            registry,
            tracing,
            supervisor);
    scheduling.measureIn(registry);
    return scheduling;
  }

  /** Shows what is measured with Kueue's names where that registry is read, if anywhere. */
  public void measureIn(MeterRegistry pages) {
    if (pages instanceof PrometheusMeterRegistry prometheus) {
      prometheus.getPrometheusRegistry().register(scheduler.metrics());
    }
  }

  /** Takes away what {@link #measureIn} shows there. */
  public void measureNoMoreIn(MeterRegistry pages) {
    if (pages instanceof PrometheusMeterRegistry prometheus) {
      prometheus.getPrometheusRegistry().unregister(scheduler.metrics());
    }
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
        RoleSettings.of(chosen.configuration(), chosen.extensions()),
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
   * Serves the ledger on a socket from now on; to be called once.
   *
   * @throws CommandException if the socket cannot be made
   */
  void publish(Path socket) {
    try {
      ledger = LedgerServer.start(socket, scheduler::snapshot, settings, supervisor);
      edits = QuotaEditSocket.beside(socket, trials, supervisor);
    } catch (IOException e) {
      throw new CommandException("--ledger: " + socket + ": " + e.getMessage(), e);
    }
  }

  private CompletableFuture<EngineFork> fork() {
    return scheduler.isComplete()
        ? scheduler.fork()
        : CompletableFuture.failedFuture(new IllegalStateException("not all is listed yet"));
  }

  /** Tries edits of quotas on the engine, once it knows all. */
  public QuotaEdits quotaEdits() {
    return trials;
  }

  /**
   * The pages of a scheduler on the plain port beside health and metrics; the scheduler is read at
   * each request.
   */
  public static List<Page> pages(Supplier<Scheduler> scheduler) {
    return List.of(SchedulerPages.audit(scheduler));
  }

  /** The scheduler itself. */
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public void close() {
    if (edits != null) {
      edits.close();
    }
    trials.close();
    if (ledger != null) {
      ledger.close();
    }
    scheduler.close();
    connection.close();
    registry.close();
    tracing.close();
  }
}
