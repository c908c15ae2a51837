package dev.sluice.server.program;

import dev.sluice.cluster.access.AccessException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Makes command lines that report failures in one way. */
public final class Program {
  /** Set to see where an error comes from. */
  private static final String DEBUG = "SLUICE_DEBUG";

  private static final String FILES = "--filename";

  /** What the program answers from the names and descriptions of its commands. */
  private static final Set<String> OVERVIEWS = Set.of("--help", "-h", "--version", "-V");

  private Program() {}

  /**
   * A command line that is ready to execute: exit code 0 for yes, 1 for no, 2 for wrong usage.
   *
   * @param commands the types of its commands, in the order of the help
   */
  public static CommandLine of(Object root, IFactory factory, List<Class<?>> commands) {
    CommandLine program = new CommandLine(root, factory);
    commands.forEach(program::addSubcommand);
    return ready(program);
  }

  /**
   * The same for these arguments only. Reading the flags of all commands takes most of a short
   * start, so it reads those of the command that the arguments name, and none for the general help.
   * Arguments that name no command get all of them, so that the nearest one can be proposed.
   */
  public static CommandLine forArguments(
      Object root, IFactory factory, List<Class<?>> commands, String... args) {
    if (args.length == 0 || (args.length == 1 && OVERVIEWS.contains(args[0]))) {
      CommandLine program = new CommandLine(root, factory);
      commands.forEach(command -> program.addSubcommand(new CommandLine(summary(command))));
      return ready(program);
    }
    Optional<Class<?>> named =
        commands.stream().filter(command -> annotation(command).name().equals(args[0])).findFirst();
    return of(root, factory, named.map(List::<Class<?>>of).orElse(commands));
  }

  /** A command without its flags, as the list of commands shows it. */
  private static CommandSpec summary(Class<?> type) {
    Command command = annotation(type);
    CommandSpec spec = CommandSpec.create().name(command.name());
    spec.usageMessage()
        .header(command.header())
        .description(command.description())
        .hidden(command.hidden());
    return spec;
  }

  private static Command annotation(Class<?> type) {
    return type.getAnnotation(Command.class);
  }

  private static CommandLine ready(CommandLine program) {
    return program
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
