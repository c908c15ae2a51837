package dev.sluice.cli.run;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.cli.objects.FileView;
import dev.sluice.cli.objects.ManifestObjects;
import dev.sluice.cli.server.ConfigurationFlags;
import dev.sluice.cli.server.DataFlags;
import dev.sluice.cli.server.LogFlags;
import dev.sluice.cli.server.ServerFlags;
import dev.sluice.cli.server.Serving;
import dev.sluice.manifests.Target;
import dev.sluice.webhook.Knowledge;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.view.ClusterView;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the server without a cluster. */
@Command(
    name = "run",
    header = "Answers conversions and admission reviews, without a cluster.",
    description = {
      "Certificates are made at the first start and reused. What rules ask of the cluster"
          + " (namespaces, queues, priority classes) they find in the files of --state; without it"
          + " they leave it out. Stop it with Ctrl-C."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice run",
      "  sluice run --data /tmp/sluice --port 10443 --http-port 10080",
      "  sluice run --state deploy/",
      "  sluice run --log-level debug"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class RunCommand implements Callable<Integer> {
  private static final String NAMESPACE = Target.Service.DEFAULT.namespace();
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");

  @Spec private CommandSpec spec;
  @Mixin private DataFlags data;
  @Mixin private ServerFlags server;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;

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
    Knowledge knowledge = chosen.read(NAMESPACE).seeing(view()); // before anything is made
    ServerOptions options = server.options(host, "127.0.0.1", Duration.ZERO);
    CertificateFolder certificates = data.certificates(LOCAL);
    WebhookServer running = Serving.start(options, certificates, knowledge);
    new Welcome(running, certificates.caBundleFile()).print(out(), System.nanoTime() - began);
    Serving.untilStopped(running);
    return 0;
  }

  private ClusterView view() {
    return state.isEmpty()
        ? ClusterView.BLIND
        : FileView.of(
            new ManifestObjects(InputStream.nullInputStream()).read(state, true), "default");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
