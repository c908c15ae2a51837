package dev.sluice.cli.completion;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script that makes a shell complete commands and flags, or serves kubectl. */
@Command(
    name = "completion",
    header = "Prints a script with which a shell completes commands and flags.",
    description = {
      "Load it in the profile of the shell.",
      "With --install-plugin, kubectl sluice works as sluice does, and kubectl 1.26 and later"
          + " complete it: two files, kubectl-sluice and kubectl_complete-sluice, are written to a"
          + " folder of the PATH."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice completion bash > ~/.local/share/bash-completion/completions/sluice",
      "  source <(sluice completion zsh)",
      "  sluice completion --install-plugin",
      "  sluice completion --install-plugin=/usr/local/bin"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class CompletionCommand implements Callable<Integer> {
  private static final String USUAL = "~/.local/bin";

  /** A shell that the script is for; one script serves both. */
  public enum Shell {
    BASH,
    ZSH
  }

  private final Supplier<CommandLine> program;

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Wanted wanted;

  private static final class Wanted {
    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    @SuppressWarnings("unused") // picocli refuses other shells
    private @Nullable Shell shell;

    @Option(
        names = "--install-plugin",
        arity = "0..1",
        fallbackValue = USUAL,
        paramLabel = "FOLDER",
        description = "Make Sluice a plugin of kubectl in this folder (default: " + USUAL + ").")
    private @Nullable String folder;
  }

  /** A completion of all commands of this program. */
  public CompletionCommand(Supplier<CommandLine> program) {
    this.program = program;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (wanted.folder == null) {
      out.print(AutoComplete.bash(spec.root().name(), program.get()));
    } else {
      String home = System.getProperty("user.home");
      Path folder = Path.of(wanted.folder.replaceFirst("^~(?=/|$)", home)).toAbsolutePath();
      new KubectlPlugin(folder).install(System.getProperty("sluice.launcher"), out);
    }
    out.flush();
    return 0;
  }
}
