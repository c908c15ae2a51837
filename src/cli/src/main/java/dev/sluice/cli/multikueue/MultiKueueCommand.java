package dev.sluice.cli.multikueue;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lets a manager cluster use a worker cluster; see its subcommands. */
@Command(
    name = "multikueue",
    header = "Lets one cluster send jobs to another.",
    description = {
      "The manager sends jobs, and a worker runs them. On each worker the manager needs an account;"
          + " on the manager it needs a kubeconfig of that account, in a Secret."
    },
    subcommands = {AccountCommand.class, KubeconfigCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice multikueue account | kubectl --context worker-a apply -f -",
      "  sluice multikueue kubeconfig --context worker-a --secret worker-a"
          + " | kubectl --context manager apply -f -"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before run
public final class MultiKueueCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
