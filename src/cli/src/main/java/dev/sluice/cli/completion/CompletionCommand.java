package dev.sluice.cli.completion;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script that makes a shell complete commands and flags. */
@Command(
    name = "completion",
    header = "Prints a script with which a shell completes commands and flags.",
    description = "Load it in the profile of the shell.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice completion bash > ~/.local/share/bash-completion/completions/sluice",
      "  source <(sluice completion zsh)"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class CompletionCommand implements Callable<Integer> {
  /** A shell that the script is for; one script serves both. */
  public enum Shell {
    BASH,
    ZSH
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  @SuppressWarnings("unused") // picocli refuses other shells
  private Shell shell;

  @Override
  public Integer call() {
    CommandLine program = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(program.getCommandName(), program));
    out.flush();
    return 0;
  }
}
