package dev.sluice.cli.dashboard;

import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.Serving;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
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
          + " Changes nothing. The cluster needs the server of view.sluice.dev (sluice see).",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice dashboard",
      "  sluice dashboard --context production -n team-a",
      "  sluice dashboard --port 8000 --no-browser"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class DashboardCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final int HIGHEST_PORT = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

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
    try (ApiServer asked = cluster.connect()) {
      requireApi(asked);
    }
    DashboardServer dashboard = start();
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
    try {
      return DashboardServer.start(cluster.access(), port, namespace);
    } catch (IllegalStateException e) {
      throw new CommandException(e.getMessage() + "; name another port with --port", e);
    }
  }

  /** A page that shows nothing but errors helps nobody, so this is found out first. */
  private static void requireApi(ApiServer asked) {
    Answer answer = asked.send(Call.get(ViewGroup.ROOT, BOUND));
    if (answer.status() == 404) {
      throw new CommandException(
          "%s does not serve %s, so there is nothing to show (expected: the APIServices that sluice install prints, and sluice see behind them; a cluster with only Kueue has no such API)"
              .formatted(asked.base(), Domains.VIEW));
    }
    if (answer.status() == 401) {
      throw new CommandException(
          "%s does not know you: %s".formatted(asked.base(), answer.message()));
    }
  }
}
