package dev.sluice.bench;

import picocli.CommandLine;

/** The benchmark program; see {@code src/bench/run}. */
public final class Main {
  private Main() {}

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new ConversionsCommand())
            .addSubcommand(new AdmissionCommand())
            .addSubcommand(new EngineCommand())
            .addSubcommand(new LoadCommand())
            .addSubcommand(new DispatchCommand())
            .addSubcommand(new FleetCommand())
            .addSubcommand(new BesideCommand())
            .addSubcommand(new StartCommand())
            .addSubcommand(new DashboardCommand())
            .addSubcommand(new WorstCommand())
            .addSubcommand(new PeerCommand())
            .addSubcommand(new ForecastCommand())
            .addSubcommand(new ForecastCostCommand())
            .execute(args));
  }
}
