package dev.sluice.cli;

import dev.sluice.cli.completion.CandidatesCommand;
import dev.sluice.cli.completion.CompletionCommand;
import dev.sluice.cli.convert.ConvertCommand;
import dev.sluice.cli.dashboard.DashboardCommand;
import dev.sluice.cli.devcluster.DevClusterCommand;
import dev.sluice.cli.doctor.DoctorCommand;
import dev.sluice.cli.explain.ExplainCommand;
import dev.sluice.cli.image.ImageCommand;
import dev.sluice.cli.migrate.MigrateCommand;
import dev.sluice.cli.multikueue.MultiKueueCommand;
import dev.sluice.cli.queue.HistoryCommand;
import dev.sluice.cli.queue.QueueCommand;
import dev.sluice.cli.queue.ResumeCommand;
import dev.sluice.cli.queue.StopCommand;
import dev.sluice.cli.queue.TopCommand;
import dev.sluice.cli.rehearse.RehearseCommand;
import dev.sluice.cli.replay.ReplayCommand;
import dev.sluice.cli.report.ForecastCommand;
import dev.sluice.cli.report.ReportCommand;
import dev.sluice.cli.scan.ScanCommand;
import dev.sluice.cli.scenario.TestCommand;
import dev.sluice.cli.shadow.ShadowCommand;
import dev.sluice.cli.simulate.SimulateCommand;
import dev.sluice.cli.takeover.TakeoverCommand;
import dev.sluice.cli.validate.ValidateCommand;
import dev.sluice.server.install.InstallCommand;
import dev.sluice.server.program.Program;
import dev.sluice.server.program.Version;
import dev.sluice.server.run.RunCommand;
import dev.sluice.server.schedule.ScheduleCommand;
import dev.sluice.server.see.SeeCommand;
import dev.sluice.server.serve.ServeCommand;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ScopeType;

/** The command {@code sluice}, under which all others stand. */
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
public final class Sluice implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          ServeCommand.class,
          ScheduleCommand.class,
          SeeCommand.class,
          ConvertCommand.class,
          ValidateCommand.class,
          SimulateCommand.class,
          ExplainCommand.class,
          DashboardCommand.class,
          QueueCommand.class,
          TopCommand.class,
          HistoryCommand.class,
          ReportCommand.class,
          ForecastCommand.class,
          StopCommand.class,
          ResumeCommand.class,
          TestCommand.class,
          ReplayCommand.class,
          InstallCommand.class,
          ImageCommand.class,
          ScanCommand.class,
          ShadowCommand.class,
          TakeoverCommand.class,
          MigrateCommand.class,
          DoctorCommand.class,
          MultiKueueCommand.class,
          DevClusterCommand.class,
          CompletionCommand.class,
          RehearseCommand.class,
          CandidatesCommand.class);

  @CommandLine.Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before run
  private CommandLine.Model.CommandSpec spec;

  private Sluice() {}

  /** A command line that is ready to execute. */
  public static CommandLine commandLine() {
    return commandLine(System.in);
  }

  /**
   * A command line that is ready to execute and takes this for standard input. As a plugin of
   * kubectl, it has the name by which it is called there.
   */
  public static CommandLine commandLine(InputStream stdin) {
    return named(Program.of(new Sluice(), new Commands(stdin), COMMANDS));
  }

  /** The same for these arguments only; it starts sooner. */
  static CommandLine forArguments(String... args) {
    return named(Program.forArguments(new Sluice(), new Commands(System.in), COMMANDS, args));
  }

  private static CommandLine named(CommandLine program) {
    return program.setCommandName(System.getProperty("sluice.name", "sluice"));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Makes the commands, and hands standard input to those that read it. */
  private record Commands(InputStream stdin) implements IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == ConvertCommand.class) {
        return type.cast(new ConvertCommand(stdin));
      }
      if (type == RehearseCommand.class) {
        return type.cast(new RehearseCommand(Sluice::forArguments));
      }
      if (type == CompletionCommand.class) {
        return type.cast(new CompletionCommand(Sluice::commandLine));
      }
      if (type == CandidatesCommand.class) {
        return type.cast(new CandidatesCommand(Sluice::commandLine));
      }
      if (type == ExplainCommand.class) {
        return type.cast(new ExplainCommand(stdin, InstantSource.system()));
      }
      if (type == SimulateCommand.class) {
        return type.cast(new SimulateCommand(stdin, InstantSource.system()));
      }
      if (type == ReportCommand.class) {
        return type.cast(new ReportCommand(InstantSource.system()));
      }
      if (type == StopCommand.class) {
        return type.cast(new StopCommand(stdin));
      }
      if (type == ResumeCommand.class) {
        return type.cast(new ResumeCommand(stdin));
      }
      if (type == ValidateCommand.class) {
        return type.cast(new ValidateCommand(stdin));
      }
      return CommandLine.defaultFactory().create(type);
    }
  }
}
