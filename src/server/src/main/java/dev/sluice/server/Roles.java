package dev.sluice.server;

import dev.sluice.server.install.InstallCommand;
import dev.sluice.server.program.Program;
import dev.sluice.server.program.Version;
import dev.sluice.server.rehearse.RehearseServerCommand;
import dev.sluice.server.run.RunCommand;
import dev.sluice.server.schedule.ScheduleCommand;
import dev.sluice.server.see.SeeCommand;
import dev.sluice.server.serve.ServeCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command {@code sluice} with the roles that a cluster needs. */
@Command(
    name = "sluice",
    description = "The gate that batch jobs pass on their way into a Kubernetes cluster.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:yes, done", "1:a clear no; the reason is on stderr", "2:wrong usage"})
public final class Roles implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          ServeCommand.class,
          ScheduleCommand.class,
          SeeCommand.class,
          InstallCommand.class,
          RehearseServerCommand.class);

  @CommandLine.Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before run
  private CommandLine.Model.CommandSpec spec;

  private Roles() {}

  /** A command line that is ready to execute. */
  public static CommandLine commandLine() {
    return Program.of(new Roles(), CommandLine.defaultFactory(), COMMANDS);
  }

  /** The same for these arguments only; it starts sooner. */
  static CommandLine forArguments(String... args) {
    return Program.forArguments(new Roles(), CommandLine.defaultFactory(), COMMANDS, args);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
