package dev.sluice.cli;

import dev.sluice.cli.convert.ConvertCommand;
import dev.sluice.cli.devcluster.DevClusterCommand;
import dev.sluice.cli.doctor.DoctorCommand;
import dev.sluice.cli.explain.ExplainCommand;
import dev.sluice.cli.install.InstallCommand;
import dev.sluice.cli.migrate.MigrateCommand;
import dev.sluice.cli.rehearse.RehearseCommand;
import dev.sluice.cli.run.RunCommand;
import dev.sluice.cli.scenario.TestCommand;
import dev.sluice.cli.schedule.ScheduleCommand;
import dev.sluice.cli.serve.ServeCommand;
import dev.sluice.cli.simulate.SimulateCommand;
import dev.sluice.cli.terminal.PrintableLines;
import dev.sluice.cli.validate.ValidateCommand;
import dev.sluice.cluster.access.AccessException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code sluice}, under which all others stand. */
@Command(
    name = "sluice",
    description = "The gate that batch jobs pass on their way into a Kubernetes cluster.",
    versionProvider = Sluice.Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    subcommands = {
      RunCommand.class,
      ServeCommand.class,
      ScheduleCommand.class,
      ConvertCommand.class,
      ValidateCommand.class,
      SimulateCommand.class,
      ExplainCommand.class,
      TestCommand.class,
      InstallCommand.class,
      MigrateCommand.class,
      DoctorCommand.class,
      DevClusterCommand.class,
      RehearseCommand.class,
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:yes, done", "1:a clear no; the reason is on stderr", "2:wrong usage"})
public final class Sluice implements Runnable {
  /** Set to see where an error comes from. */
  private static final String DEBUG = "SLUICE_DEBUG";

  private static final String FILES = "--filename";

  @CommandLine.Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before run
  private CommandLine.Model.CommandSpec spec;

  private Sluice() {}

  /** A command line that is ready to execute. */
  public static CommandLine commandLine() {
    return commandLine(System.in);
  }

  /** A command line that is ready to execute and takes this for standard input. */
  public static CommandLine commandLine(InputStream stdin) {
    return new CommandLine(new Sluice(), new Commands(stdin))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Sluice::reportUsage)
        .setExecutionExceptionHandler(Sluice::report);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
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

  private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
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

  /** Makes the commands, and hands standard input to those that read it. */
  private record Commands(InputStream stdin) implements IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == ConvertCommand.class) {
        return type.cast(new ConvertCommand(stdin));
      }
      if (type == ExplainCommand.class) {
        return type.cast(new ExplainCommand(stdin, InstantSource.system()));
      }
      if (type == SimulateCommand.class) {
        return type.cast(new SimulateCommand(stdin, InstantSource.system()));
      }
      if (type == ValidateCommand.class) {
        return type.cast(new ValidateCommand(stdin));
      }
      return CommandLine.defaultFactory().create(type);
    }
  }

  /** The version as it stands in the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Sluice.class.getPackage().getImplementationVersion();
      return new String[] {
        "sluice " + (version == null ? "(development)" : version), "Java " + Runtime.version(),
      };
    }
  }
}
