package dev.sluice.cli.dashboard;

import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.manifests.Target;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.see.OwnView;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.Serving;
import dev.sluice.supervision.Supervisor;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the dashboard of a cluster on this machine. */
@Command(
    name = "dashboard",
    header = "Shows the queues of a cluster in a browser, with your own rights.",
    description = {
      "Serves pages on this machine only, and asks the API server with the credentials of your"
          + " kubeconfig. Anybody who has the printed address sees what you may see."
          + " Changes nothing. Where the cluster does not serve view.sluice.dev (sluice see), for"
          + " example with only Kueue, the command follows the cluster itself, with your rights."
          + " Then it assumes that the scheduler has the default configuration, unless --config"
          + " names the file that it has.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice dashboard",
      "  sluice dashboard --context production -n team-a",
      "  sluice dashboard --port 8000 --no-browser",
      "  sluice dashboard --local --config controller_manager_config.yaml"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class DashboardCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String OWN_NAMESPACE = Target.Service.DEFAULT.namespace();
  private static final int HIGHEST_PORT = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private ConfigurationFlags configuration;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "The namespace that is filled in where the pages ask for one.")
  private @Nullable String namespace;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port on this machine; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--local",
      description = "Follow the cluster in this process even where it serves view.sluice.dev.")
  private boolean local;

  @Option(names = "--no-browser", description = "Only print the address.")
  private boolean noBrowser;

  @Override
  public Integer call() {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port: %d (expected: 0 to %d)".formatted(port, HIGHEST_PORT));
    }
    if (namespace != null && !namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new ParameterException(
          spec.commandLine(),
          "--namespace: %s (expected: the name of a namespace)".formatted(namespace));
    }
    Chosen chosen = configuration.read(OWN_NAMESPACE); // what is wrong with it comes first
    boolean isServed;
    try (ApiServer asked = cluster.connect()) {
      isServed = servesApi(asked) && !local;
    }
    DashboardServer dashboard = isServed ? start() : startOwn(chosen);
    PrintWriter out = spec.commandLine().getOut();
    out.println("The dashboard is at");
    out.println();
    out.println("  " + dashboard.address());
    out.println();
    out.println("Anybody with this address sees what you may see. Stop it with Ctrl-C.");
    out.flush();
    if (!noBrowser && !Browser.open(dashboard.addressForOnce())) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("No browser can be opened here; open the address yourself.");
      err.flush();
    }
    Serving.untilStopped(dashboard);
    return 0;
  }

  private DashboardServer start() {
    if (configuration.isGiven()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "The configuration is not used, because the server of %s has its own; --local uses it."
              .formatted(Domains.VIEW));
      err.flush();
    }
    return listening(() -> DashboardServer.start(cluster.access(), port, namespace));
  }

  private static DashboardServer listening(Supplier<DashboardServer> start) {
    try {
      return start.get();
    } catch (IllegalStateException e) {
      throw new CommandException(e.getMessage() + "; name another port with --port", e);
    }
  }

  /** A dashboard that follows the cluster in this process. */
  private DashboardServer startOwn(Chosen chosen) {
    OwnView view = ownView(chosen);
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "This program follows the cluster itself, with your rights"
            + (local ? "." : ", because %s is not served there.".formatted(Domains.VIEW)));
    err.println(
        configuration.isGiven()
            ? "It assumes that the scheduler has the configuration that you named."
            : "It assumes that the scheduler has the default configuration; --config names"
                + " another.");
    if (!view.lacking().isEmpty()) {
      err.println("Not all can be shown: " + view.lacking() + ".");
    }
    err.flush();
    return listening(() -> DashboardServer.start(view, port, namespace));
  }

  private OwnView ownView(Chosen chosen) {
    try {
      return OwnView.start(
          cluster.access(),
          chosen,
          configuration.isGiven(),
          namespace == null ? cluster.namespace() : namespace,
          new Supervisor());
    } catch (IllegalStateException e) {
      throw new CommandException(
          "there is nothing to show (expected: the right to list ClusterQueues or Workloads of"
              + " Sluice or Kueue): "
              + e.getMessage(),
          e);
    } catch (ConnectionException e) {
      throw new CommandException("the cluster cannot be followed: " + e.getMessage(), e);
    }
  }

  /** A page that shows nothing but errors helps nobody, so this is found out first. */
  private static boolean servesApi(ApiServer asked) {
    Answer answer = asked.send(Call.get(ViewGroup.ROOT, BOUND));
    if (answer.status() == 401) {
      throw new CommandException(
          "%s does not know you: %s".formatted(asked.base(), answer.message()));
    }
    return answer.status() != 404;
  }
}
