package dev.sluice.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most resident memory that a process ever had. */
public final class PeakMemory {
  private PeakMemory() {}

  /** In bytes; zero if the process is over, or where the system does not tell. */
  public static long of(ProcessHandle process) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try {
      return Files.readString(status) // a stream of lines fails otherwise if it ends meanwhile
          .lines()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0;
    }
  }
}
