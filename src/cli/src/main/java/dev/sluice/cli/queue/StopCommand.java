package dev.sluice.cli.queue;

import java.io.InputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stops a Workload or a queue. */
@Command(
    name = "stop",
    header =
        "Stops a Workload, LocalQueue or ClusterQueue, and first shows which workloads are"
            + " affected.",
    description = {
      "A stopped queue gives no quota. What has some is evicted, or keeps it with"
          + " --keep-already-running. A stopped Workload is deactivated.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice stop clusterqueue team-a --dry-run client",
      "  sluice stop clusterqueue team-a --keep-already-running",
      "  sluice stop localqueue main -n team-a -y",
      "  sluice stop workload job-train-5c8f1 -n team-a"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class StopCommand implements Callable<Integer> {
  private final InputStream stdin;

  @Spec private CommandSpec spec;
  @Mixin private StopTarget target;

  @Option(
      names = "--keep-already-running",
      description = "Workloads that have quota keep it (queues only).")
  private boolean keep;

  /** The command, with the input from which it reads whether to go on. */
  public StopCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    if (keep && target.isWorkload()) {
      throw new ParameterException(
          spec.commandLine(),
          "--keep-already-running is for queues (expected: localqueue or clusterqueue)");
    }
    return target.change(
        keep ? StopChange.Action.HOLD : StopChange.Action.STOP, stdin, spec.commandLine().getOut());
  }
}
