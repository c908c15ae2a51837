package dev.sluice.server.run;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.objects.FileView;
import dev.sluice.server.objects.ManifestObjects;
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
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
          + " sluice install --url makes the API server call it. Stop it with Ctrl-C."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice run",
      "  sluice run --data /tmp/sluice --port 10443 --http-port 10080",
      "  sluice run --state deploy/",
      "  sluice run --kubeconfig ~/.kube/config",
      "  sluice run --log-level debug"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class RunCommand implements Callable<Integer> {
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
        Serving.start(options(files), certificates, context, new Supervisor().watchOtherThreads());
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
    Chosen files = chosen.read(scheduler.ownNamespace());
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
    Serving.untilStopped(running);
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
