package dev.sluice.bench;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Which schedulers take part in a run over several clusters, and how long they are waited for. */
@SuppressWarnings("NullAway.Init") // set by picocli
final class ScheduleOptions {
  @Option(
      names = "--sluice",
      paramLabel = "PROGRAM",
      defaultValue = "./sluice",
      description = "The program whose schedule is measured (default: ${DEFAULT-VALUE}).")
  private String program;

  @Option(
      names = "--bound",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "After which each part is given up (default: ${DEFAULT-VALUE}).")
  private int bound;

  String program() {
    return program;
  }

  Duration bound() {
    return Duration.ofSeconds(bound);
  }
}
