package dev.sluice.cli.devcluster;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.manifests.Target;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.schedule.RecordFlags;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.DataFlags;
import dev.sluice.server.wiring.Serving;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.ServerStartException;
import dev.sluice.webhook.server.ListenAddress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a real control plane with Sluice installed. */
@Command(
    name = "dev-cluster",
    header = "Runs a real control plane on loopback with Sluice installed.",
    description = {
      "etcd, API server, controller manager, both schedulers and simulated nodes, until it is"
          + " interrupted.",
      "Without --config every kind of jobs is managed.",
      "With --workers N, it is the manager of N more such clusters (MultiKueue): they are"
          + " connected, each has a queue, and there is a Job to try.",
      "The first start builds them with Go, which takes some minutes; later ones take seconds."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice dev-cluster",
      "  sluice dev-cluster --data /tmp/try --nodes 10",
      "  sluice dev-cluster --workers 2",
      "  KUBECONFIG=~/.local/share/sluice/dev-cluster/control-plane/kubeconfig kubectl get"
          + " topologies"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class DevClusterCommand implements Callable<Integer> {
  private static final String FOLDER = "dev-cluster";
  private static final int POOLS = 4;
  private static final int MAX_NODES = 10_000;
  private static final int MAX_WORKERS = 5;

  @Spec private CommandSpec spec;
  @Mixin private DataFlags data;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;
  @Mixin private RecordFlags record;

  @Option(
      names = "--api-only",
      description = "Only etcd and the API server: no controllers, no scheduler, no nodes.")
  private boolean apiOnly;

  @Option(
      names = "--no-schedule",
      description = "Do not schedule: leave that to a sluice schedule of your own.")
  private boolean noSchedule;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Simulated nodes of 64 cpu and 256Gi, labelled pool=p1 to p4 in turn"
              + " (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Worker clusters, up to "
              + MAX_WORKERS
              + "; each takes about 1 GiB of memory (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Plain port for health and metrics; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @Override
  public Integer call() {
    if (nodes < 0 || nodes > MAX_NODES) {
      throw new ParameterException(
          spec.commandLine(), "--nodes: " + nodes + " (expected: 0 to " + MAX_NODES + ")");
    }
    if (workers < 0 || workers > MAX_WORKERS || (workers > 0 && (apiOnly || noSchedule))) {
      throw new ParameterException(
          spec.commandLine(),
          "--workers: %d (expected: 0 to %d, and neither --api-only nor --no-schedule)"
              .formatted(workers, MAX_WORKERS));
    }
    logs.apply();
    PrintWriter err = spec.commandLine().getErr();
    if (workers > 0) {
      if (record.isGiven()) {
        throw new ParameterException(
            spec.commandLine(), "--record: one cluster alone is recorded (expected: no --workers)");
      }
      runFleet(err);
      return 0;
    }
    DevCluster cluster = start(err, FOLDER, httpPort, nodes);
    Optional<DevDashboard> dashboard = dashboard(cluster);
    print(cluster, dashboard);
    List<AutoCloseable> running = new ArrayList<>();
    dashboard.ifPresent(running::add);
    if (!apiOnly && !noSchedule) {
      running.add(schedule(cluster));
    }
    running.add(cluster);
    Serving.untilStopped(running.toArray(AutoCloseable[]::new));
    return 0;
  }

  private Optional<DevDashboard> dashboard(DevCluster cluster) {
    Chosen files = configuration();
    return files.configuration().featureGates().isOn(FeatureGate.VISIBILITY_ON_DEMAND)
        ? Optional.of(
            DevDashboard.start(
                data.folder().resolve(FOLDER), cluster.controlPlane(), files, cluster.supervisor()))
        : Optional.empty();
  }

  private Scheduling schedule(DevCluster cluster) {
    return cluster.schedule(
        configuration(), record.in(data.folder().resolve(FOLDER).resolve("recording")));
  }

  private void runFleet(PrintWriter err) {
    Chosen files = configuration();
    DevFleet fleet = DevFleet.of(files, data.folder().resolve(FOLDER));
    try {
      say(err, "manager");
      fleet.manager(start(err, FOLDER + "/" + DevFleet.MANAGER, httpPort, 0));
      for (int i = 1; i <= workers; i++) {
        say(err, "worker-" + i);
        fleet.worker("worker-" + i, start(err, FOLDER + "/worker-" + i, 0, nodes));
      }
      say(err, "connecting");
      fleet.connect();
    } catch (RuntimeException e) {
      fleet.close();
      throw e instanceof ControlPlaneException
          ? new CommandException(String.valueOf(e.getMessage()), e)
          : e;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("The clusters are up. Stop them with Ctrl-C.");
    out.println();
    out.println("  export KUBECONFIG=" + fleet.kubeconfig());
    out.println("  contexts    " + String.join(", ", fleet.contexts()));
    out.println("  a Job       kubectl create -f " + fleet.job());
    out.println();
    out.flush();
    Serving.untilStopped(fleet);
  }

  private DevCluster start(PrintWriter err, String folder, int http, int nodeCount) {
    Chosen files = configuration();
    ServerOptions options =
        ServerOptions.builder()
            .listeningOn(new ListenAddress("127.0.0.1", 0), new ListenAddress("127.0.0.1", http))
            .tls(files.tls())
            .metrics(files.showsMetrics())
            .build();
    ControlPlane.Options parts =
        apiOnly ? ControlPlane.Options.apiServer() : ControlPlane.Options.wholeCluster();
    try {
      DevCluster cluster =
          DevCluster.start(
              data.folder().resolve(folder), parts, options, files, step -> say(err, step));
      for (int i = 0; i < nodeCount && !apiOnly; i++) {
        cluster.addNode("node-" + (i + 1), "p" + (i % POOLS + 1));
      }
      return cluster;
    } catch (ControlPlaneException | ServerStartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private Chosen configuration() {
    return chosen.isGiven() ? chosen.read(Target.Service.DEFAULT.namespace()) : EveryKind.chosen();
  }

  private static void say(PrintWriter err, String step) {
    err.println(step + " ...");
    err.flush();
  }

  private void print(DevCluster cluster, Optional<DevDashboard> dashboard) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("The cluster is up. Stop it with Ctrl-C.");
    out.println();
    out.println("  export KUBECONFIG=" + cluster.controlPlane().kubeconfig());
    out.println("  API server  " + cluster.controlPlane().server());
    out.println("  webhooks    https://127.0.0.1:" + cluster.server().httpsPort());
    dashboard.ifPresent(it -> out.println("  dashboard   " + it.address()));
    out.printf("  health      http://localhost:%d/metrics%n", cluster.server().httpPort());
    out.println();
    out.flush();
  }
}
