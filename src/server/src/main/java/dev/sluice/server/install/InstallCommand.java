package dev.sluice.server.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.access.AccessEnvironment;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Monitoring;
import dev.sluice.manifests.ServedVersions;
import dev.sluice.manifests.ServerCertificates;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.manifests.Target;
import dev.sluice.manifests.VisibilityServer;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.DataFlags;
import dev.sluice.server.wiring.ServiceConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints what a cluster needs. */
@Command(
    name = "install",
    header = "Prints the manifests that a cluster needs.",
    description = {
      "CRDs, namespace, rights, Service and Deployment, with the files of --config in a ConfigMap;"
          + " the server registers itself. With --url, which says where a server outside the"
          + " cluster runs: CRDs and registration. Nothing is sent anywhere."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice install | kubectl apply -f -",
      "  sluice install --namespace queues | kubectl apply -f -",
      "  sluice install --diff --config controller_manager_config.yaml",
      "  sluice install --served v1beta2 | kubectl apply -f -",
      "  sluice install --image registry.example.org/sluice:0.1.0 --cert-manager",
      "  sluice install --monitoring --monitoring-label release=prometheus | kubectl apply -f -",
      "  sluice install --config controller_manager_config.yaml | kubectl apply -f -",
      "  sluice install --url https://10.0.0.7:9443 --data /var/lib/sluice -o json",
      "  sluice install --url https://gate.example.org --ca-file ca.crt"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class InstallCommand implements Callable<Integer> {
  /** Whatever can be chosen, so that all kinds of objects are among the documents. */
  private static final ServerConfiguration ALL =
      new ServerConfiguration("# any", "")
          .withCertificates(new ServerCertificates.CertManager())
          .monitored(Monitoring.PLAIN)
          .showing(VisibilityServer.DEFAULT.bounded().annotating())
          .recorded();

  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");

  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Where where;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Certificates in PEM that the API server shall trust. Without this and --data the server"
              + " puts in its own.")
  private @Nullable Path caFile;

  @Mixin private DataFlags data;

  @Mixin private ConfigurationFlags chosen;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "" + ServerConfiguration.DEFAULT_REPLICAS,
      description = "How many Pods answer; one of them schedules (default: ${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      defaultValue = "",
      description = "The container image (default: sluice with the tag of this version).")
  private String image;

  @Option(
      names = "--served",
      paramLabel = "VERSION",
      split = ",",
      description =
          "The versions at which our kinds are served, such as v1beta2; the version that is stored"
              + " is always one of them. Each served version costs the API server time with every"
              + " write (default: all).")
  private List<String> served = List.of();

  @ArgGroup private @Nullable Certificates certificates;

  @ArgGroup(exclusive = false)
  private @Nullable Comparison comparison;

  @ArgGroup(exclusive = false)
  private @Nullable MonitoringFlags monitored;

  @Option(
      names = "--record",
      description =
          "Let the scheduler record its decisions in a volume of its Pod, for sluice replay.")
  private boolean record;

  @Mixin private VisibilityFlags visibility;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "YAML",
      description = "yaml or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** How the manifests are written. */
  enum Format {
    YAML,
    JSON
  }

  /** Where the servers have their certificates from, if not from themselves. */
  static final class Certificates {
    @Option(
        names = "--cert-manager",
        required = true,
        description =
            "Let cert-manager make the certificates: prints its Issuers and Certificates, too.")
    private boolean certManager;

    @Option(
        names = "--cert-secret",
        paramLabel = "SECRET",
        required = true,
        description =
            "Serve the certificate in this Secret of type kubernetes.io/tls, which somebody else"
                + " keeps up to date.")
    private @Nullable String secret;

    private ServerCertificates chosen() {
      if (secret != null) {
        return new ServerCertificates.InSecret(secret);
      }
      return certManager ? new ServerCertificates.CertManager() : new ServerCertificates.Shared();
    }
  }

  /** What is compared instead of printed. */
  static final class Comparison {
    @Option(
        names = "--diff",
        required = true,
        description =
            "Print what an apply would change in a cluster, and change nothing. Exit code 1 if"
                + " there is a difference.")
    private boolean diff;

    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description =
            "With --diff: the cluster and how to log in (default: $KUBECONFIG, then"
                + " ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Option(
        names = "--context",
        paramLabel = "NAME",
        description = "With --diff: the context of the kubeconfig (default: its current one).")
    private @Nullable String context;

    private ClusterAccess access() {
      return ClusterAccess.of(kubeconfig, context, AccessEnvironment.ofThisProcess());
    }
  }

  /** Where the API server finds the server. */
  static final class Where {
    @Option(
        names = "--namespace",
        paramLabel = "NAMESPACE",
        description = "Where the server is installed (default: sluice-system).")
    private @Nullable String namespace;

    @Option(
        names = "--service",
        paramLabel = "NAMESPACE/NAME[:PORT]",
        converter = ServiceConverter.class,
        description = "The Service of the server (default: sluice-system/sluice-webhook:443).")
    private Target.@Nullable Service service;

    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "The address of a server outside the cluster, such as https://10.0.0.7:9443.")
    private @Nullable URI url;
  }

  @Override
  public Integer call() {
    Installation installation = installation();
    PrintWriter out = spec.commandLine().getOut();
    if (comparison != null && comparison.diff) {
      List<String> differences = differences(comparison, installation);
      differences.forEach(out::println);
      out.flush();
      return differences.isEmpty() ? 0 : 1;
    }
    out.print(format == Format.YAML ? installation.yaml() : json(installation));
    out.flush();
    return 0;
  }

  private static List<String> differences(Comparison chosen, Installation installation) {
    ClusterAccess access = chosen.access();
    try (Connection connection = Connection.to(access)) {
      return new ClusterComparison(connection)
          .differences(installation.documents(), installation.configuredBy(ALL).documents());
    } catch (ConnectionException e) {
      throw new CommandException(
          "%s cannot be compared: %s".formatted(access.server(), e.getMessage()), e);
    }
  }

  private Installation installation() {
    try {
      Chosen files = read();
      Installation installation =
          Installation.into(target())
              .managing(files.jobs())
              .configuredBy(configuration(files))
              .serving(served.isEmpty() ? ServedVersions.ALL : ServedVersions.of(served));
      String pem = caBundle();
      return pem == null ? installation : installation.trusting(pem);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private ServerConfiguration configuration(Chosen files) {
    ServerConfiguration configuration =
        chosen
            .toHandOn()
            .withReplicas(replicas)
            .withImage(image)
            .showing(visibility.chosen(files.configuration()));
    if (certificates != null) {
      configuration = configuration.withCertificates(certificates.chosen());
    }
    configuration = record ? configuration.recorded() : configuration;
    return monitored == null ? configuration : configuration.monitored(monitored.chosen());
  }

  private Chosen read() {
    return chosen.read(
        target() instanceof Target.Service service
            ? service.namespace()
            : Target.Service.DEFAULT.namespace());
  }

  private Target target() {
    if (where != null && where.url != null) {
      return new Target.Url(where.url);
    }
    if (where != null && where.namespace != null) {
      return Target.Service.DEFAULT.in(where.namespace);
    }
    return where != null && where.service != null ? where.service : Target.Service.DEFAULT;
  }

  private @Nullable String caBundle() {
    if (caFile != null && data.given()) {
      throw new ParameterException(
          spec.commandLine(), "--ca-file and --data (expected: only one of them)");
    }
    if (caFile == null) {
      return data.given() ? data.certificates(LOCAL).caBundlePem() : null;
    }
    try {
      return Files.readString(caFile);
    } catch (IOException e) {
      throw new CommandException(caFile + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static String json(Installation installation) {
    try {
      return new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(installation.list())
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
