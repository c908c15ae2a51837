package dev.sluice.bench;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How many Jobs are sent to how many workers, and how fast. */
@SuppressWarnings("NullAway.Init") // set by picocli
final class FleetOptions {
  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many Jobs each time (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many are created in a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many worker clusters (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Mixin private ScheduleOptions schedule;

  int jobs() {
    return jobs;
  }

  double rate() {
    return rate;
  }

  int workers() {
    return workers;
  }

  ScheduleOptions schedule() {
    return schedule;
  }
}
