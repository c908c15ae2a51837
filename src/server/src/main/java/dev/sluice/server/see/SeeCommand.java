package dev.sluice.server.see;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Manager.Visibility;
import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.manifests.Target;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.serve.CertificateFlags;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.HistoryFlags;
import dev.sluice.server.wiring.ServiceConverter;
import dev.sluice.server.wiring.Serving;
import dev.sluice.server.wiring.TimeConverter;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the APIs about the queues of a cluster. */
@Command(
    name = "see",
    header = "Serves the visibility API: which Workloads wait in a queue, in which order, and why.",
    description = {
      "Watches what the scheduler of a cluster decides by, and decides nothing. The API server"
          + " forwards requests to it by APIServices, whose CA bundle it keeps up to date. Users"
          + " need a right to what they ask for. In a Pod it uses the cluster of the Pod."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice see",
      "  sluice see --config controller_manager_config.yaml",
      "  sluice see --history /var/lib/sluice/history --history-size 1Gi",
      "  sluice see --kubeconfig ~/.kube/config --no-inject --host 127.0.0.1",
      "  sluice see --service queues/visibility --cert-dir /etc/sluice/tls"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class SeeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(SeeCommand.class);
  private static final String ALL_ADDRESSES = "0.0.0.0";

  @Mixin private CertificateFlags certificateFlags;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;
  @Mixin private HistoryFlags history;
  @Spec private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster whose queues are shown (default: $KUBECONFIG, then"
              + " ~/.kube/config, then the cluster around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(names = "--no-inject", description = "Do not write our CA bundle to the APIServices.")
  private boolean noInject;

  @Option(
      names = "--service",
      paramLabel = "NAMESPACE/NAME",
      defaultValue = "sluice-system/sluice-see",
      converter = ServiceConverter.class,
      description = "The Service in front of it, for its certificate (default: ${DEFAULT-VALUE}).")
  private Target.Service service;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Another DNS name or IP address of the server, for its certificate; repeatable.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Address of the HTTPS port (default: as visibilityServer.bindAddress says, all addresses"
              + " without a file).")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "HTTPS port; 0 for any free one (default: as visibilityServer.bindPort says, 8082 without"
              + " a file).")
  private @Nullable Integer port;

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

  @Option(
      names = "--drain-delay",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = TimeConverter.class,
      description =
          "Time to accept requests after a stop signal, while not ready (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration drainDelay;

  @Option(
      names = "--annotate-forecasts",
      description =
          "Also write each forecast to its Workload, as the annotation sluice.dev/forecast; needs"
              + " --history, and a right to patch Workloads.")
  private boolean annotatesForecasts;

  @Override
  public Integer call() {
    logs.apply();
    requireHistory();
    certificateFlags.requireSensible(noInject);
    Chosen files = chosen.read(service.namespace());
    if (!files.configuration().featureGates().isOn(FeatureGate.VISIBILITY_ON_DEMAND)) {
      throw new CommandException("the feature gate VisibilityOnDemand is off, so there is no API");
    }
    Visibility visibility = files.configuration().manager().visibility();
    ListenAddress address =
        address(
            host != null ? host : visibility.bindAddress(),
            port != null ? port : visibility.bindPort(),
            "--port");
    ListenAddress plain = address(httpHost, httpPort, "--http-port");
    ClusterAccess access = ClusterAccess.of(kubeconfig); // before anything is made
    CertificateSource certificates =
        certificateFlags.open(Optional.of(access), service, names, !noInject);
    See running =
        See.start(
            access,
            files,
            address,
            "--port",
            plain,
            certificates,
            place(),
            !noInject,
            new Supervisor().watchOtherThreads());
    LOG.info(
        "serving the visibility API on https://{}:{}, health on http://{}:{}",
        address.host(),
        running.port(),
        httpHost,
        running.httpPort());
    Serving.untilStopped(() -> drain(running), running);
    return 0;
  }

  private void requireHistory() {
    if (annotatesForecasts && history.folder() == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--annotate-forecasts: there are no forecasts without a history (expected: --history"
              + " DIR)");
    }
  }

  private @Nullable HistoryPlace place() {
    Path folder = history.folder();
    if (folder == null) {
      return null;
    }
    HistoryPlace place = new HistoryPlace(folder, history.size());
    return annotatesForecasts ? place.annotatingBy(service.namespace()) : place;
  }

  private void drain(See running) throws InterruptedException {
    running.drain();
    TimeUnit.NANOSECONDS.sleep(drainDelay.toNanos());
  }

  private static ListenAddress address(String host, int port, String flag) {
    try {
      return new ListenAddress(host.isEmpty() ? ALL_ADDRESSES : host, port);
    } catch (IllegalArgumentException e) {
      throw new CommandException(flag + ": " + e.getMessage(), e);
    }
  }
}
