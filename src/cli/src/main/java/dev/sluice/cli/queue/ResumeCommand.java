package dev.sluice.cli.queue;

import java.io.InputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Resumes what was stopped. */
@Command(
    name = "resume",
    header = "Resumes a Workload, LocalQueue or ClusterQueue that was stopped.",
    description =
        "Sets spec.active of a Workload to true, or spec.stopPolicy of a queue to None, and shows"
            + " first which Workloads that affects.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice resume clusterqueue team-a",
      "  sluice resume workload job-train-5c8f1 -n team-a -y"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ResumeCommand implements Callable<Integer> {
  private final InputStream stdin;

  @Spec private CommandSpec spec;
  @Mixin private StopTarget target;

  /** The command, with the input from which it reads whether to go on. */
  public ResumeCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    return target.change(StopChange.Action.RESUME, stdin, spec.commandLine().getOut());
  }
}
