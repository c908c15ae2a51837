package dev.sluice.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Processor time that was used so far, as the operating system counts it in steps of 10 ms. */
public final class ProcessorTime {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int NANOS_PER_TICK = 10_000_000;

  private ProcessorTime() {}

  /** That of one process; zero where the system does not tell. */
  public static Duration of(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** That of the whole machine, all but the time of idleness; zero where there is no /proc. */
  public static Duration ofTheMachine() {
    try (Stream<String> lines = Files.lines(STAT)) {
      String[] ticks = lines.findFirst().orElseThrow().trim().split(" +", -1);
      long busy = 0;
      for (int column : new int[] {1, 2, 3, 6, 7, 8}) { // user nice system irq softirq steal
        busy += Long.parseLong(ticks[column]);
      }
      return Duration.ofNanos(busy * NANOS_PER_TICK);
    } catch (IOException _) {
      return Duration.ZERO; // only what is said about disturbance is lost
    }
  }
}
