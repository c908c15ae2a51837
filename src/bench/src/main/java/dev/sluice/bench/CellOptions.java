package dev.sluice.bench;

import dev.sluice.bench.load.Window;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be chosen of every measurement over HTTPS. */
@SuppressWarnings("NullAway.Init") // set by picocli
final class CellOptions {
  @Option(
      names = "--in-flight",
      split = ",",
      defaultValue = "1,16,64",
      description = "Requests in flight at one time (default: ${DEFAULT-VALUE}).")
  private List<Integer> inFlight;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description = "Seconds to warm up in each cell (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(
      names = "--measure",
      defaultValue = "4",
      description = "Seconds to measure in each cell (default: ${DEFAULT-VALUE}).")
  private double measure;

  @Option(names = "--seed", defaultValue = "1", description = "Seed of what is sent.")
  private long seed;

  @Option(
      names = "--sluice-jvm",
      paramLabel = "OPTION",
      description = "A further option for the JVM of Sluice; may be given several times.")
  private @Nullable List<String> sluiceJvm;

  List<Integer> inFlight() {
    return inFlight;
  }

  Window window() {
    return new Window(seconds(warmUp), seconds(measure));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  long seed() {
    return seed;
  }

  List<String> sluiceJvm() {
    return sluiceJvm == null ? List.of() : sluiceJvm;
  }
}
