package dev.sluice.server.serve;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.wiring.ClusterWatch;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.ServerFlags;
import dev.sluice.server.wiring.ServiceConverter;
import dev.sluice.server.wiring.Serving;
import dev.sluice.server.wiring.TimeConverter;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerContext;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the server in a cluster, or beside one. */
@Command(
    name = "serve",
    header = "Answers the conversions and admission reviews of a cluster.",
    description = {
      "Keeps the CA bundle of our CRDs and webhook configurations up to date, and watches the"
          + " objects that rules need. In a Pod it uses the cluster of the Pod."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice serve",
      "  sluice serve --kubeconfig ~/.kube/config --name gate.example.org",
      "  sluice serve --register --url https://10.0.0.7:9443 --name 10.0.0.7",
      "  sluice serve --config controller_manager_config.yaml",
      "  sluice serve --cert-dir /etc/sluice/tls --no-inject"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  /** Within what the startup probe of our Deployment allows. */
  private static final Duration VIEW_TIMEOUT = Duration.ofSeconds(40);

  @Spec private CommandSpec spec;
  @Mixin private CertificateFlags certificateFlags;
  @Mixin private ServerFlags server;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster to watch and to write CA bundles to (default: $KUBECONFIG, then"
              + " ~/.kube/config, then the cluster around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--no-inject",
      description = "Do not write CA bundles to the cluster; with this flag no cluster is needed.")
  private boolean noInject;

  @Option(
      names = "--register",
      description =
          "Create the webhook configurations and keep them up to date. They let writes pass"
              + " unchecked until the first review arrives here; from then on a write that cannot"
              + " be checked is refused.")
  private boolean register;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "With --register: how the API server reaches this server (default: by --service).")
  private @Nullable URI url;

  @Option(
      names = "--no-view",
      description =
          "Watch nothing in the cluster: rules that need its objects and the pod guard are off.")
  private boolean noView;

  @Option(
      names = "--view-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "How long to wait for all lists before the server is ready without them (default: 40s, or"
              + " controller.cacheSyncTimeout where the configuration sets it).")
  private @Nullable Duration viewTimeout;

  @Option(
      names = "--ledger",
      paramLabel = "PATH",
      description =
          "Read the ledger of a sluice schedule from this Unix domain socket; without a scheduler"
              + " there, quotas are known from watches only.")
  private @Nullable Path ledger;

  @Option(
      names = "--service",
      paramLabel = "NAMESPACE/NAME",
      defaultValue = "sluice-system/sluice-webhook",
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
      defaultValue = "0.0.0.0",
      description = "Address of the HTTPS port (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--http-host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of the plain port (default: ${DEFAULT-VALUE}).")
  private String httpHost;

  @Option(
      names = "--drain-delay",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = TimeConverter.class,
      description =
          "Time to accept requests after a stop signal, while not ready (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration drainDelay;

  @Override
  public Integer call() {
    logs.apply();
    requireSensibleFlags();
    Chosen chosenFiles = chosen.read(service.namespace());
    Optional<ClusterAccess> access = access(); // before anything is made
    CertificateSource certificates = certificateFlags.open(access, service, names, !noInject);
    Supervisor supervisor = new Supervisor().watchOtherThreads();
    if (sees()) {
      ClusterWatch clusterWatch =
          ClusterWatch.of(
              access.orElseThrow(), chosenFiles, patience(chosenFiles), ledger, supervisor);
      serve(
          chosenFiles,
          certificates,
          clusterWatch.context(),
          access,
          Optional.of(clusterWatch),
          supervisor);
    } else {
      serve(
          chosenFiles,
          certificates,
          chosenFiles.withoutCluster(),
          access,
          Optional.empty(),
          supervisor);
    }
    return 0;
  }

  /** Empty where no cluster is needed. */
  private Optional<ClusterAccess> access() {
    return kubeconfig != null || sees() || !noInject
        ? Optional.of(ClusterAccess.of(kubeconfig))
        : Optional.empty();
  }

  private void serve(
      Chosen chosenFiles,
      CertificateSource certificates,
      ServerContext context,
      Optional<ClusterAccess> access,
      Optional<ClusterWatch> clusterWatch,
      Supervisor supervisor) {
    ClusterServing running =
        ClusterServing.start(
            server.options(host, httpHost, drainDelay, chosenFiles),
            certificates,
            context,
            clusterWatch,
            supervisor);
    LOG.info(
        "serving reviews on https://{}:{}, health on http://{}:{}",
        host,
        running.server().httpsPort(),
        httpHost,
        running.server().httpPort());
    if (!noInject) {
      running.publish(access.orElseThrow(), registered(chosenFiles));
    }
    Serving.untilStopped(running);
  }

  /** How the API server reaches this server, if the server registers itself. */
  private Optional<Installation> registered(Chosen chosenFiles) {
    return register
        ? Optional.of(Installation.into(target()).managing(chosenFiles.jobs()))
        : Optional.empty();
  }

  private Target target() {
    return url == null ? service : new Target.Url(url);
  }

  /** Before anything is made. */
  private void requireSensibleFlags() {
    if (register && noInject) {
      throw new ParameterException(
          spec.commandLine(), "--register and --no-inject (expected: only one of them)");
    }
    certificateFlags.requireSensible(noInject);
    if (url != null && !register) {
      throw new ParameterException(spec.commandLine(), "--url (expected: beside --register)");
    }
    try {
      target();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Without a named cluster, outside a Pod and with --no-inject there is no cluster to watch. */
  private boolean sees() {
    return !noView
        && (kubeconfig != null || !noInject || System.getenv("KUBERNETES_SERVICE_HOST") != null);
  }

  private Duration patience(Chosen chosenFiles) {
    if (viewTimeout != null) {
      return viewTimeout;
    }
    return chosenFiles.configuration().sets("controller.cacheSyncTimeout")
        ? chosenFiles.configuration().manager().controller().cacheSyncTimeout()
        : VIEW_TIMEOUT;
  }
}
