package dev.sluice.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Processor time. Read from the operating system in steps of 10 ms.
 *
 * @param server of the measured process
 * @param client of the process that sends; zero if it is the measured one
 * @param others of everything else on the machine: what disturbs a measurement
 */
public record Usage(Duration server, Duration client, Duration others) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int NANOS_PER_TICK = 10_000_000;

  /** What was used so far, with this process measured. */
  static Usage ofThisProcess() {
    Duration own = time(ProcessHandle.current());
    return new Usage(own, Duration.ZERO, machine().minus(own));
  }

  /** What was used so far, with another process measured. */
  static Usage of(ProcessHandle server) {
    if (server.equals(ProcessHandle.current())) {
      return ofThisProcess();
    }
    Duration own = time(ProcessHandle.current());
    Duration its = time(server);
    return new Usage(its, own, machine().minus(own).minus(its));
  }

  Usage since(Usage before) {
    return new Usage(
        server.minus(before.server), client.minus(before.client), others.minus(before.others));
  }

  private static Duration time(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** All but the time of idleness; zero where there is no /proc. */
  private static Duration machine() {
    if (!Files.isReadable(STAT)) {
      return Duration.ZERO;
    }
    try (Stream<String> lines = Files.lines(STAT)) {
      String[] ticks = lines.findFirst().orElseThrow().trim().split(" +", -1);
      long busy = 0;
      for (int column : new int[] {1, 2, 3, 6, 7, 8}) { // user nice system irq softirq steal
        busy += Long.parseLong(ticks[column]);
      }
      return Duration.ofNanos(busy * NANOS_PER_TICK);
    } catch (IOException e) {
      return Duration.ZERO; // only the column about disturbance is lost
    }
  }
}
