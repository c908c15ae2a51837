package dev.sluice.server.run;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.objects.FileView;
import dev.sluice.server.objects.ManifestObjects;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.schedule.SchedulerFlags;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.DataFlags;
import dev.sluice.server.wiring.ServerFlags;
import dev.sluice.server.wiring.Serving;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the server without a cluster, or both roles attached to one. */
@Command(
    name = "run",
    header = "Answers conversions and admission reviews, without a cluster or attached to one.",
    description = {
      "Certificates are created at the first start and reused. Rules look up namespaces, queues and"
          + " priority classes in the files of --state; without it they skip these checks.",
      "With --kubeconfig it is the webhook server and the scheduler of that cluster in one process;"
          + " sluice install --url makes the API server call it. It also serves the dashboard and"
          + " view.sluice.dev, to callers with a token. Stop it with Ctrl-C."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice run",
      "  sluice run --data /tmp/sluice --port 10443 --http-port 10080",
      "  sluice run --state deploy/",
      "  sluice run --kubeconfig ~/.kube/config",
      "  sluice run --kubeconfig ~/.kube/config --view-port 9082",
      "  sluice run --log-level debug"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class RunCommand implements Callable<Integer> {
  private static final int HIGHEST_PORT = 65_535;
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");

  @Spec private CommandSpec spec;
  @Mixin private DataFlags data;
  @Mixin private ServerFlags server;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;
  @Mixin private AttachedFlags attached;
  @Mixin private SchedulerFlags scheduler;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of the HTTPS port (default: ${DEFAULT-VALUE}, this machine only).")
  private String host;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "What is in the cluster: a file with manifests, or a folder with such files and folders;"
              + " repeatable.")
  private List<String> state = new ArrayList<>();

  @Override
  public Integer call() {
    long began = System.nanoTime();
    checkViewPort();
    logs.apply();
    Path kubeconfig = attached.kubeconfig;
    if (kubeconfig != null) {
      attach(kubeconfig, began);
    } else {
      answer(began);
    }
    return 0;
  }

  private void answer(long began) {
    Chosen files = chosen.read(scheduler.ownNamespace()); // before anything is made
    ServerContext context = files.withView(view());
    CertificateFolder certificates = data.certificates(names());
    WebhookServer running =
        Serving.start(
            options(files), certificates, context, new Supervisor().watchOtherThreads(), () -> {});
    new Welcome(running, certificates.caBundleFile()).print(out(), System.nanoTime() - began);
    Serving.untilStopped(running);
  }

  private void attach(Path kubeconfig, long began) {
    if (!state.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--state: what is in the cluster is seen there (expected: no --state"
              + " beside --kubeconfig)");
    }
    Chosen files = scheduler.placed(chosen.read(scheduler.ownNamespace()));
    ClusterAccess access = ClusterAccess.of(kubeconfig); // before anything is made
    CertificateFolder certificates = data.certificates(names());
    Attached running =
        Attached.start(
            attached,
            access,
            files,
            scheduler,
            options(files),
            certificates,
            new Supervisor().watchOtherThreads());
    new Welcome(running.server(), certificates.caBundleFile())
        .print(out(), System.nanoTime() - began);
    List<AutoCloseable> open = new ArrayList<>();
    view(access, files).ifPresent(open::add);
    open.add(running);
    Serving.untilStopped(open.toArray(AutoCloseable[]::new));
  }

  /** The dashboard; whatever becomes of it, admission and scheduling go on. */
  private Optional<HostedView> view(ClusterAccess access, Chosen files) {
    if (attached.noView
        || !files.configuration().featureGates().isOn(FeatureGate.VISIBILITY_ON_DEMAND)) {
      return Optional.empty();
    }
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> problem =
        sentence -> {
          err.println(sentence);
          err.flush();
        };
    CertificateFolder certificates;
    try {
      certificates = data.certificates("view-certs", names());
    } catch (CommandException e) {
      problem.accept("the dashboard is not served: " + e.getMessage());
      return Optional.empty();
    }
    Optional<HostedView> view =
        HostedView.start(
            access, files, new ListenAddress(host, viewPort(files)), certificates, problem);
    view.ifPresent(
        it -> {
          out().printf("The dashboard is at https://localhost:%d/ui/%n", it.port());
          out().printf("  browsers trust %s; sign in with a token%n", certificates.caBundleFile());
          out().flush();
        });
    return view;
  }

  private int viewPort(Chosen files) {
    Integer given = attached.viewPort;
    return given == null ? files.configuration().manager().visibility().bindPort() : given;
  }

  private void checkViewPort() {
    Integer given = attached.viewPort;
    if (given != null && (given < 0 || given > HIGHEST_PORT)) {
      throw new ParameterException(
          spec.commandLine(), "--view-port: %d (expected: 0 to %d)".formatted(given, HIGHEST_PORT));
    }
  }

  private ServerOptions options(Chosen files) {
    return server.options(host, "127.0.0.1", Duration.ZERO, files);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(LOCAL);
    attached.names.stream().filter(name -> !names.contains(name)).forEach(names::add);
    return names;
  }

  private ClusterView view() {
    return state.isEmpty()
        ? ClusterView.EMPTY
        : FileView.of(ManifestObjects.silently().read(state, true), "default");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
