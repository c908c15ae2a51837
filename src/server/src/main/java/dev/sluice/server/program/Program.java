package dev.sluice.server.program;

import dev.sluice.cluster.access.AccessException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Makes command lines that report failures in one way. */
public final class Program {
  /** Set to see where an error comes from. */
  private static final String DEBUG = "SLUICE_DEBUG";

  private static final String FILES = "--filename";

  private Program() {}

  /** A command line that is ready to execute: exit code 0 for yes, 1 for no, 2 for wrong usage. */
  public static CommandLine of(Object root, IFactory factory) {
    return new CommandLine(root, factory)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Program::run)
        .setParameterExceptionHandler(Program::reportUsage)
        .setExecutionExceptionHandler(Program::report);
  }

  /** Asking for help does not make an unknown command a known one. */
  private static int run(ParseResult parsed) {
    for (ParseResult part = parsed; part != null; part = part.subcommand()) {
      if (!part.unmatched().isEmpty()) {
        throw new UnmatchedArgumentException(part.commandSpec().commandLine(), part.unmatched());
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** One sentence, what was meant perhaps, and where to read on: the whole usage would hide it. */
  private static int reportUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("sluice: " + PrintableLines.of(e.getMessage()));
    if (UnmatchedArgumentException.printSuggestions(e, err)) {
      err.flush();
    }
    if (e instanceof MissingParameterException && String.valueOf(e.getMessage()).contains(FILES)) {
      Arrays.stream(args)
          .skip(1) // the command
          .filter(arg -> Files.exists(Path.of(arg)))
          .findFirst()
          .ifPresent(file -> err.println("Did you mean -f " + file + "?"));
    }
    err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
    return CommandLine.ExitCode.USAGE;
  }

  private static int report(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof CommandException || e instanceof AccessException) {
      err.println("sluice: " + PrintableLines.of(e.getMessage()));
    } else {
      err.println("sluice: internal error: " + PrintableLines.of(e.toString()));
      err.println("Set " + DEBUG + "=1 to see where it comes from, and please report it.");
    }
    if (System.getenv(DEBUG) != null) {
      e.printStackTrace(err);
    }
    return e instanceof AccessException
        ? CommandLine.ExitCode.USAGE
        : CommandLine.ExitCode.SOFTWARE;
  }
}
