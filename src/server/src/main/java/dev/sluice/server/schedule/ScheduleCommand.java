package dev.sluice.server.schedule;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.Serving;
import dev.sluice.supervision.ProcessEnd;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the scheduler in a cluster, or beside one. */
@Command(
    name = "schedule",
    header = "Makes jobs flow: reserves quota, admits, evicts, and keeps the status of queues.",
    description = {
      "Watches the cluster and writes to it, until it is interrupted. In a Pod it uses the cluster"
          + " of the Pod. Of several replicas one is the leader; the others are ready to take over."
          + " A replica that loses the Lease exits.",
      "OTEL_EXPORTER_OTLP_ENDPOINT (and the other variables of OpenTelemetry) name a receiver of"
          + " traces: a span for each decision and each write that follows from it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice schedule",
      "  sluice schedule --kubeconfig ~/.kube/config",
      "  sluice schedule --config controller_manager_config.yaml --leader-elect=false",
      "  OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 sluice schedule --kubeconfig FILE"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ScheduleCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleCommand.class);

  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;
  @Mixin private SchedulerFlags scheduler;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster to schedule for (default: $KUBECONFIG, then"
              + " ~/.kube/config, then the cluster around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--ledger",
      paramLabel = "PATH",
      description =
          "Serve the quota ledger on this Unix domain socket, for a sluice serve on the same"
              + " machine.")
  private @Nullable Path ledger;

  @Option(
      names = "--http-host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of the plain port (default: ${DEFAULT-VALUE}, this machine only).")
  private String httpHost;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Plain port for health and metrics; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @Override
  public Integer call() {
    logs.apply();
    ListenAddress address = address();
    Chosen files = scheduler.placed(chosen.read(scheduler.ownNamespace()));
    ClusterAccess access = ClusterAccess.of(kubeconfig);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Supervisor supervisor = new Supervisor().watchOtherThreads();
    supervisor.bindTo(registry);
    Scheduling running =
        Scheduling.start(
            access,
            files,
            scheduler,
            registry,
            supervisor,
            () -> supervisor.end().leave(ProcessEnd.DEPOSED, "another replica leads"));
    if (ledger != null) {
      running.publish(ledger);
    }
    SchedulerPages pages =
        new SchedulerPages(
            address, running.scheduler(), supervisor::health, registry, files.showsMetrics());
    LOG.info("scheduling, health and metrics on http://{}:{}", httpHost, pages.port());
    Serving.untilStopped(running, pages);
    return 0;
  }

  private ListenAddress address() {
    try {
      return new ListenAddress(httpHost, httpPort);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--http-port: " + e.getMessage(), e);
    }
  }
}
