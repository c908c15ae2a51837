package dev.sluice.bench.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Processor time and memory of several processes, and of everything else on the machine. */
final class ProcessUse {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int NANOS_PER_TICK = 10_000_000;

  private final Map<String, ProcessHandle> processes = new LinkedHashMap<>();
  private final Map<String, Duration> before = new LinkedHashMap<>();
  private Duration machineBefore = Duration.ZERO;

  /**
   * What was used.
   *
   * @param cpu by process
   * @param mostBytes the most memory that each process ever had; zero where the system does not
   *     tell
   * @param others processor time of everything else
   */
  record Used(Map<String, Duration> cpu, Map<String, Long> mostBytes, Duration others) {}

  ProcessUse watching(String name, ProcessHandle process) {
    processes.put(name, process);
    return this;
  }

  void start() {
    processes.forEach((name, process) -> before.put(name, time(process)));
    machineBefore = machine();
  }

  Used stop() {
    Map<String, Duration> cpu = new LinkedHashMap<>();
    Map<String, Long> bytes = new LinkedHashMap<>();
    Duration others = machine().minus(machineBefore);
    for (Map.Entry<String, ProcessHandle> entry : processes.entrySet()) {
      Duration used =
          time(entry.getValue()).minus(before.getOrDefault(entry.getKey(), Duration.ZERO));
      cpu.put(entry.getKey(), used);
      bytes.put(entry.getKey(), mostResident(entry.getValue().pid()));
      others = others.minus(used);
    }
    return new Used(cpu, bytes, others.isNegative() ? Duration.ZERO : others);
  }

  private static Duration time(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static Duration machine() {
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

  private static long mostResident(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0;
    }
  }
}
