package dev.sluice.cli.schedule;

import dev.sluice.cli.CommandException;
import dev.sluice.cli.server.ConfigurationFlags;
import dev.sluice.cli.server.ConfigurationFlags.Chosen;
import dev.sluice.cli.server.LogFlags;
import dev.sluice.cli.server.Serving;
import dev.sluice.manifests.Target;
import dev.sluice.scheduler.SchedulerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Runs the scheduler in a cluster, or beside one. */
@Command(
    name = "schedule",
    header = "Makes jobs flow: reserves quota, admits, evicts, and keeps the status of queues.",
    description = {
      "Watches the cluster and writes to it, until it is interrupted. In a Pod the cluster is the"
          + " one",
      "around it. Of several replicas one leads; the others are ready to take over, and one that"
          + " has lost",
      "the lead ends."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice schedule",
      "  sluice schedule --kubeconfig ~/.kube/config",
      "  sluice schedule --config controller_manager_config.yaml --leader-elect=false"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ScheduleCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleCommand.class);
  private static final int DEPOSED = 1;
  private static final int MOST_WRITERS = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private LogFlags logs;
  @Mixin private ConfigurationFlags chosen;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "The cluster to schedule for (default: the one around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--leader-elect",
      paramLabel = "BOOL",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Whether to agree with other replicas on who leads (default: as"
              + " leaderElection.leaderElect says, true without a file).")
  private @Nullable Boolean leaderElect;

  @Option(
      names = "--writers",
      paramLabel = "N",
      defaultValue = "" + SchedulerOptions.WRITERS,
      description =
          "How many objects are written at a time; the only limit to the rate of calls"
              + " (default: ${DEFAULT-VALUE}).")
  private int writers;

  @Option(
      names = "--ledger",
      paramLabel = "PATH",
      description =
          "Tell who has quota on this Unix domain socket, for a sluice serve beside this one.")
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
    if (writers < 1 || writers > MOST_WRITERS) {
      throw new ParameterException(
          spec.commandLine(), "--writers: " + writers + " (expected: 1 to " + MOST_WRITERS + ")");
    }
    if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
      throw new CommandException("--kubeconfig: " + kubeconfig + " cannot be read");
    }
    Chosen files = chosen.read(Target.Service.DEFAULT.namespace());
    boolean elects =
        leaderElect == null
            ? files.configuration().manager().leaderElection().enabled()
            : leaderElect;
    Scheduling running =
        Scheduling.start(kubeconfig, files, elects, writers, ScheduleCommand::deposed);
    if (ledger != null) {
      running.publish(ledger);
    }
    StatusPages pages = running.pages(httpHost, httpPort);
    LOG.info("scheduling, health and metrics on http://{}:{}", httpHost, pages.port());
    Serving.untilStopped(running, pages);
    return 0;
  }

  /** Who led may have written last a moment ago; the next process begins with what is stored. */
  private static void deposed() {
    Thread.ofPlatform()
        .name("sluice-deposed")
        .start(
            () -> {
              LOG.error("ending, for another replica leads");
              Runtime.getRuntime().exit(DEPOSED);
            });
  }
}
